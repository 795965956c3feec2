import { useState, type ReactNode } from "react";

import type { InputOf, ReplyOf } from "#contract/endpoint.ts";
import { changeGroup, groupSettings } from "#contract/group.ts";
import { makeInvitation } from "#contract/invitations.ts";
import { call } from "#web/client/api.ts";
import { formFor } from "#web/page/form.tsx";
import { ButtonLink } from "#web/page/links.tsx";
import { useClient, useGroup } from "#web/page/session.ts";
import { ShareLink } from "#web/page/share-link.tsx";
import { FormCard } from "#web/ui/card.tsx";
import { formatTimeOfDay } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import { shortNameOf } from "./rules.ts";

const naming = formFor(changeGroup);
const invitation = { permissions: [], days: 7, uses: 20 };

/** The first page of the first administrator. */
export function WelcomePage(): ReactNode {
  const { group } = useClient();
  const { group_name, group_short, legal_links } = useGroup();
  const [link, setLink] = useState<ReplyOf<typeof makeInvitation> | null>(null);
  const send = async (body: InputOf<typeof changeGroup>): Promise<void> => {
    if (body.group_name !== group_name) {
      await call(changeGroup, { body });
      group.set({ ...group.get(), ...groupSettings.parse(body) });
    }
    setLink(await call(makeInvitation, { body: invitation }));
  };
  if (link !== null)
    return (
      <FormCard title="Hol deine Runde dazu" below={<ButtonLink to="/beercounter">Zum Bier-Counter</ButtonLink>}>
        <ShareLink url={link.url} title={`Einladung zu „${group_name}“`}>
          Wer das Bild scannt oder den Link öffnet, kann sich registrieren. Gilt für {invitation.uses} Personen bis{" "}
          {formatTimeOfDay(link.expires_at, undefined, "weekdayAndDay")}.
        </ShareLink>
      </FormCard>
    );
  return (
    <FormCard title="Wie heißt eure Runde?" below={null}>
      <Stack>
        <naming.Form
          action="Weiter"
          readMore={(values) => {
            const name = values.get("group_name");
            const isNew = typeof name === "string" && name.trim() !== group_name;
            return { group_short: isNew ? shortNameOf(name) : group_short, legal_links };
          }}
          onSend={send}
        >
          <naming.Field
            name="group_name"
            defaultValue={group_name}
            hint="So heißt auch die App. Ändern kannst du ihn jederzeit."
            autoComplete="off"
            required
          />
        </naming.Form>
      </Stack>
    </FormCard>
  );
}
