import { useQuery } from "@tanstack/react-query";
import { Link } from "lucide-react";
import { useState, type ReactNode } from "react";

import { getTvLinks, makeTvLink, revokeTvLink, type TvLink } from "#contract/tv.ts";
import { AdminLayout } from "#web/admin/admin-layout.tsx";
import { useAdminCall } from "#web/admin/api.ts";
import { OneTimeLinkDialog } from "#web/admin/dialogs.tsx";
import { replyOptions } from "#web/client/queries.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { formatDate, timeAgo } from "#web/ui/german.ts";
import { EntityItem, EntityList, List } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";
import { PairingForm, tvName } from "./pair-page.tsx";

export function TvLinksPage(): ReactNode {
  const links = useQuery(replyOptions(getTvLinks));
  const [isMaking, setMaking] = useState(false);
  const [revoked, setRevoked] = useState<TvLink | null>(null);
  const call = useAdminCall();
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
      <EntityList query={links} what="Die Geräte" emptyText={emptyText}>
        {(shown) => (
          <List label="Fernseher und Zapfstellen">
            {shown.map((link) => (
              <LinkLine key={link.id} link={link} onRevoke={() => setRevoked(link)} />
            ))}
          </List>
        )}
      </EntityList>
      <TvLinkDialog isOpen={isMaking} onClose={() => setMaking(false)} />
      <Confirm
        title={revoked?.scope === "tablet" ? "Zapfstelle trennen" : "Link zurückziehen"}
        isOpen={revoked !== null}
        action={revoked?.scope === "tablet" ? "Trennen" : "Zurückziehen"}
        onConfirm={async () => (await call(revokeTvLink, { params: { id: revoked!.id } })).message}
        onClose={() => setRevoked(null)}
      >
        <p>
          „{revoked?.name}“ zeigt dann nach ein paar Sekunden nichts mehr
          {revoked?.scope === "tablet" &&
            " und bucht nichts mehr. Striche, die dort noch warten, kommen nach, wenn du sie wieder verbindest"}
          .
        </p>
      </Confirm>
    </AdminLayout>
  );
}

const emptyText =
  "Noch kein Fernseher. Ein Bildschirm im Raum zeigt, was getrunken wird, ohne dass sich dort jemand anmeldet.";

function LinkLine({ link, onRevoke }: { link: TvLink; onRevoke: () => void }): ReactNode {
  const isTablet = link.scope === "tablet";
  const action = isTablet ? "trennen" : "zurückziehen";
  const revoke = (
    <Button aria-label={`${link.name} ${action}`} onClick={onRevoke}>
      {isTablet ? "Trennen" : "Zurückziehen"}
    </Button>
  );
  return (
    <EntityItem actions={revoke}>
      <strong>{link.name}</strong>
      <Hint as="span">{`${isTablet ? "Zapfstelle" : "Fernseher"}, ${formatLastUse(link)}`}</Hint>
      <Hint as="span">
        {formatDate(link.created_at, "date")}, von {link.by ?? "jemandem, der nicht mehr da ist"}
      </Hint>
    </EntityItem>
  );
}

function formatLastUse({ last_used_at }: TvLink): string {
  return last_used_at === null ? "noch nie geöffnet" : `zuletzt an: ${timeAgo(Date.parse(last_used_at), Date.now())}`;
}

const creation = formFor(makeTvLink);

function TvLinkDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const call = useAdminCall();
  return (
    <OneTimeLinkDialog title="Fernseher mit Link verbinden" linkTitle="Fernseher" isOpen={isOpen} onClose={onClose}>
      {(show) => (
        <creation.DialogForm
          action="Link machen"
          onSend={async (body) => {
            const { url } = await call(makeTvLink, { body });
            show({ url, note: linkNote });
          }}
          onClose={onClose}
        >
          <creation.Field {...tvName} />
        </creation.DialogForm>
      )}
    </OneTimeLinkDialog>
  );
}

const linkNote = (
  <p>
    Öffne den Link auf dem Bildschirm; ein Klick darauf macht das Bild groß. Wer ihn hat, sieht Namen, Bilder und Biere,
    aber sonst nichts. Er wird nur jetzt gezeigt und endet, wenn er 180 Tage lang nicht benutzt wird.
  </p>
);
