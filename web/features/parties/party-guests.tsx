import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Minus, Plus, X } from "lucide-react";
import { useId, type ReactNode } from "react";

import { answerGuest } from "#contract/guest-device.ts";
import { addGuest, guestLimits, removeGuest, type AskingGuest, type PartyGuest } from "#contract/party-guests.ts";
import type { ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys } from "#web/features/beers/api.ts";
import { confirm } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { formatBeers, formatNumber } from "#web/ui/german.ts";
import { Row, Stack } from "#web/ui/layout.tsx";
import { ListItem, List } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";
import { useGuestCounter } from "./api.ts";
import styles from "./party-guests.module.css";
import { describeGuest } from "./rules.ts";

const { DialogForm, Field, Checkbox } = formFor(addGuest);

export function PartyGuests({ guests }: { guests: readonly PartyGuest[] }): ReactNode {
  const heading = useId();
  return (
    <Stack as="section" gap={2} aria-labelledby={heading}>
      <h3 id={heading}>Gäste</h3>
      <List label="Gäste">
        {guests.map((guest) => (
          <GuestLine key={guest.id} guest={guest} />
        ))}
      </List>
    </Stack>
  );
}

export function AddGuest({ partyId: id, onClose }: { partyId: number; onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  return (
    <DialogForm
      action="Dazuholen"
      onClose={onClose}
      onSend={async (body) => {
        await call(addGuest, { params: { id }, body });
        await reload(queries, ...partyKeys);
        onClose();
      }}
    >
      <Field name="name" maxLength={guestLimits.name} autoComplete="off" required />
      <Checkbox
        name="has_agreed"
        label="Mein Gast ist einverstanden, hier mit Vornamen und Strichen zu stehen."
        required
      />
      <Hint>
        Nur in dieser Party, beim Anstoßen auch auf dem Fernseher. Ist sie vorbei, wird der Name gelöscht, die Biere
        bleiben in der Summe der Party. In den Bier-Counter zählen sie nie.
      </Hint>
    </DialogForm>
  );
}

function useRemoveGuest({ id, name }: PartyGuest) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn() {
      const isAgreed = await confirm({
        title: "Gast entfernen",
        text: `${name} verschwindet aus der Party, und die Biere auch.`,
        action: "Entfernen",
        kind: "danger",
      });
      if (!isAgreed) return undefined;
      const { message } = await call(removeGuest, { params: { guest: id } });
      await reload(queries, ...partyKeys);
      return message;
    },
  });
}

function GuestLine({ guest }: { guest: PartyGuest }): ReactNode {
  const { mutate: remove } = useRemoveGuest(guest);
  const { total, waiting, drink, undo } = useGuestCounter(guest);
  const { name, can_count, can_remove } = guest;
  return (
    <li>
      <ListItem
        className={styles["guest"]}
        picture={<Avatar id={null} name={name} size={40} />}
        end={
          <Row gap={1} data-wrap="never" className={styles["counter"]}>
            {can_count && (
              <button
                type="button"
                className={styles["step"]}
                disabled={undo === null}
                aria-label={`Letztes Bier von ${name} zurücknehmen`}
                onClick={() => undo?.()}
              >
                <Minus size={20} />
              </button>
            )}
            <span className={styles["count"]} aria-live="polite">
              <span aria-hidden="true">{formatNumber(total)}</span>
              <span className="visually-hidden">{formatBeers(total)}</span>
            </span>
            {can_count && (
              <button
                type="button"
                className={styles["step"]}
                data-kind="primary"
                aria-label={`Ein Bier für ${name}`}
                onClick={drink}
              >
                <Plus size={20} />
              </button>
            )}
          </Row>
        }
      >
        <span className={styles["name"]}>
          <strong className="one-line">{name}</strong>
          {can_remove && (
            <IconButton className={styles["remove"]} label={`${name} entfernen`} onClick={() => remove()}>
              <X size={16} />
            </IconButton>
          )}
        </span>
        <Hint as="span">{waiting > 0 ? `${formatBeers(waiting)} noch ohne Empfang` : describeGuest(guest)}</Hint>
      </ListItem>
    </li>
  );
}

/** Guests of a finished party who ask to become members. */
export function AskingGuests({ party }: { party: ShownParty }): ReactNode {
  return (
    <section aria-labelledby="asking">
      <Card>
        <h2 id="asking" className={styles["title"]}>
          Möchten Mitglied werden
        </h2>
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
      className={styles["request"]}
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
