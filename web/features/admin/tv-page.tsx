import { Link } from "lucide-react";
import { useState, type ReactNode } from "react";

import { makeTvLink, pairTv, revokeTvLink, type TvLink } from "#contract/admin-tv.ts";
import { Confirm } from "#web/platform/confirm.tsx";
import { Form } from "#web/platform/form.tsx";
import { textsOf } from "#web/platform/use-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { EntityList, Line } from "#web/ui/entity-list.tsx";
import { Field } from "#web/ui/field.tsx";
import { formatDate, timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { Pair } from "#web/ui/layout.tsx";
import { Lines } from "#web/ui/lines.tsx";
import { AdminLayout } from "./components/admin-layout.tsx";
import { OneTimeLinkDialog } from "./components/one-time-link-dialog.tsx";
import { useScannedCode } from "./components/use-scanned-code.ts";
import { change, request, useTvLinks } from "./queries.ts";

export function TvLinksPage(): ReactNode {
  const links = useTvLinks();
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<TvLink | null>(null);
  const make = (
    <Button onClick={() => setMaking(true)}>
      <Link size={20} />
      Mit Link verbinden
    </Button>
  );
  return (
    <AdminLayout area="/admin/tv" action={make}>
      <Card>
        <PairingForm />
      </Card>
      <EntityList query={links} what="Die Fernseher" emptyText={emptyText}>
        {(shown) => (
          <Lines label="Fernseher">
            {shown.map((link) => (
              <LinkLine key={link.id} link={link} onRevoke={() => setRevoked(link)} />
            ))}
          </Lines>
        )}
      </EntityList>
      <TvLinkDialog isOpen={isMaking} onClose={() => setMaking(false)} />
      <Confirm
        title="Link zurückziehen"
        isOpen={revoked !== null}
        action="Zurückziehen"
        onConfirm={() => change(revokeTvLink, { params: { id: revoked!.id } })}
        onClose={() => setRevoked(null)}
      >
        <p>„{revoked?.name}“ zeigt dann nach ein paar Sekunden nichts mehr.</p>
      </Confirm>
    </AdminLayout>
  );
}

const emptyText =
  "Noch kein Fernseher. Ein Bildschirm im Raum zeigt, was getrunken wird, ohne dass sich dort jemand anmeldet.";

/** Connects the television that shows the typed code, or the one whose picture was scanned. */
function PairingForm(): ReactNode {
  const { code, clear } = useScannedCode();
  const [paired, setPaired] = useState(0);
  const send = async (values: FormData): Promise<string> => {
    const { message } = await request(pairTv, { body: textsOf(values, "code", "name") });
    clear();
    setPaired(paired + 1);
    return message;
  };
  return (
    // The next television begins with empty fields.
    <Form key={`${paired} ${code}`} endpoint={pairTv} action="Verbinden" onSend={send} label="Fernseher verbinden">
      <Hint>Öffne auf dem Bildschirm unsere Adresse mit /tv am Ende. Dort steht ein Code:</Hint>
      <Pair>
        <Field
          label="Code"
          name="code"
          defaultValue={code}
          placeholder="ACD 346"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        <Field label="Wo steht er?" name="name" placeholder="Theke" maxLength={32} autoComplete="off" required />
      </Pair>
    </Form>
  );
}

function LinkLine({ link, onRevoke }: { link: TvLink; onRevoke: () => void }): ReactNode {
  const revoke = (
    <Button aria-label={`${link.name} zurückziehen`} onClick={onRevoke}>
      Zurückziehen
    </Button>
  );
  return (
    <Line actions={revoke}>
      <strong>{link.name}</strong>
      <Hint as="span">{formatLastUse(link)}</Hint>
      <Hint as="span">
        {formatDate(link.created_at, "date")}, von {link.by ?? "jemandem, der nicht mehr da ist"}
      </Hint>
    </Line>
  );
}

function formatLastUse({ last_used_at }: TvLink): string {
  return last_used_at === null ? "noch nie geöffnet" : `zuletzt an: ${timeAgo(Date.parse(last_used_at), Date.now())}`;
}

function TvLinkDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  return (
    <OneTimeLinkDialog
      endpoint={makeTvLink}
      title="Fernseher mit Link verbinden"
      linkTitle="Fernseher"
      isOpen={isOpen}
      onCreate={async (values) => {
        const { url } = await request(makeTvLink, { body: textsOf(values, "name") });
        return { url, note: linkNote };
      }}
      onClose={onClose}
    >
      <Field label="Wo steht er?" name="name" placeholder="Theke" maxLength={32} autoComplete="off" required />
    </OneTimeLinkDialog>
  );
}

const linkNote = (
  <p>
    Öffne den Link auf dem Bildschirm; ein Klick darauf macht das Bild groß. Wer ihn hat, sieht Namen, Bilder und Biere,
    aber sonst nichts. Er wird nur jetzt gezeigt und endet, wenn er 180 Tage lang nicht benutzt wird.
  </p>
);
