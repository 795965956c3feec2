import { Link } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { getTvLinks, makeTvLink, pairTv, revokeTvLink, type TvLink } from "#contract/tv.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { adminKey, change, request } from "#web/admin/api.ts";
import { OneTimeLinkDialog } from "#web/admin/dialogs.tsx";
import { useReply } from "#web/data/query-client.ts";
import { Form } from "#web/forms/form.tsx";
import { textsOf } from "#web/forms/use-form.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { EntityList, EntityItem } from "#web/ui/entity-list.tsx";
import { Field } from "#web/ui/field.tsx";
import { formatDate, timeAgo } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { TwoColumns } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { usePlaceholder } from "#web/ui/placeholder.tsx";

export function TvLinksPage(): ReactNode {
  const links = useReply(getTvLinks, { queryKey: [...adminKey, "tv"] });
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
          <List label="Fernseher">
            {shown.map((link) => (
              <LinkLine key={link.id} link={link} onRevoke={() => setRevoked(link)} />
            ))}
          </List>
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

function PairingForm(): ReactNode {
  const { code, clear } = useScannedCode();
  const send = async (values: FormData, form: HTMLFormElement): Promise<string> => {
    const { message } = await request(pairTv, { body: textsOf(values, "code", "name") });
    clear();
    form.reset();
    return message;
  };
  return (
    // The key makes the field show another scanned code.
    <Form key={code} endpoint={pairTv} action="Verbinden" onSend={send} label="Fernseher verbinden">
      <Hint>Öffne auf dem Bildschirm unsere Adresse mit /tv am Ende. Dort steht ein Code:</Hint>
      <TwoColumns>
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
      </TwoColumns>
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
    <EntityItem actions={revoke}>
      <strong>{link.name}</strong>
      <Hint as="span">{formatLastUse(link)}</Hint>
      <Hint as="span">
        {formatDate(link.created_at, "date")}, von {link.by ?? "jemandem, der nicht mehr da ist"}
      </Hint>
    </EntityItem>
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

/** A TV's QR code puts the pairing code into this page's address. */
function useScannedCode(): { code: string; clear: () => void } {
  const [code, setCode] = useState(usePlaceholder() ? "" : readCode);
  useEffect(() => {
    const follow = (): void => setCode(readCode());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const clear = (): void => {
    if (readCode() !== "") history.replaceState(history.state, "", location.pathname + location.search);
    setCode("");
  };
  return { code, clear };
}

function readCode(): string {
  return new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
}
