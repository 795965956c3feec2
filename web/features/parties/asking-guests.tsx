import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { answerGuest } from "#contract/guest-device.ts";
import type { AskingGuest } from "#contract/party-guests.ts";
import type { ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys } from "#web/features/beers/api.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { formatBeers } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import { List, ListItem } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";

/** Guests of a finished party who ask to become members. */
export function AskingGuests({ party }: { party: ShownParty }): ReactNode {
  return (
    <section aria-labelledby="asking">
      <Card>
        <h2 id="asking">Möchten Mitglied werden</h2>
        <List label="Anfragen">
          {party.asking_guests.map((guest) => (
            <Request key={guest.id} guest={guest} />
          ))}
        </List>
        <Hint>Mit deinem Ja bekommt der Gast eine Einladung, und seine Striche des Abends gehören dann ihm.</Hint>
      </Card>
    </section>
  );
}

function Request({ guest: { id, name, total } }: { guest: AskingGuest }): ReactNode {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (is_accepted: boolean) => {
      await call(answerGuest, { params: { guest: id }, body: { is_accepted } });
      await reload(queries, ...partyKeys);
      return is_accepted ? `${name} kann sich jetzt einen Account anlegen.` : "Abgelehnt.";
    },
  });
  return (
    <ListItem
      as="li"
      picture={<Avatar id={null} name={name} size={40} />}
      end={
        <Row gap={2} data-wrap="never">
          <Button aria-label={`${name} ablehnen`} disabled={isPending} onClick={() => mutate(false)}>
            Nein
          </Button>
          <Button kind="primary" aria-label={`${name} einladen`} isBusy={isPending} onClick={() => mutate(true)}>
            Ja
          </Button>
        </Row>
      }
    >
      <strong className="one-line">{name}</strong>
      <Hint as="span">{formatBeers(total)}</Hint>
    </ListItem>
  );
}
