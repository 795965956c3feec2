import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Minus, Plus, UserPlus, X } from "lucide-react";
import { useState, type ReactNode } from "react";

import { answerGuest } from "#contract/guest-device.ts";
import { addGuest, guestLimits, removeGuest, type AskingGuest, type PartyGuest } from "#contract/party-guests.ts";
import type { ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { reload } from "#web/client/queries.ts";
import { partyKeys } from "#web/features/beers/api.ts";
import { Confirm } from "#web/page/confirm.tsx";
import { formFor } from "#web/page/form.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatBeers, formatNumber } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import { ListItem, List } from "#web/ui/list.tsx";
import { Hint } from "#web/ui/text.tsx";
import { useGuestCounter } from "./api.ts";
import styles from "./guests-card.module.css";
import { describeGuest } from "./rules.ts";

const { DialogForm, Field, Checkbox } = formFor(addGuest);

export function GuestsCard({ party }: { party: ShownParty }): ReactNode {
  const { id, guests, is_member } = party;
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<PartyGuest | null>(null);
  return (
    <section aria-labelledby="guests">
      <Card>
        <h2 id="guests" className={styles["title"]}>
          Gäste
        </h2>
        {guests.length === 0 ? (
          <Hint data-align="center">
            Jemand ohne Account am Tisch? Zeig ihm den QR-Code unter „Einladen“, oder zähl für ihn mit.
          </Hint>
        ) : (
          <List label="Gäste">
            {guests.map((guest) => (
              <GuestLine key={guest.id} guest={guest} onRemove={() => setRemoved(guest)} />
            ))}
          </List>
        )}
        {is_member && (
          <Row data-justify="center">
            <Button onClick={() => setAdding(true)}>
              <UserPlus size={20} />
              Gast dazuholen
            </Button>
          </Row>
        )}
        <Dialog title="Gast dazuholen" isOpen={isAdding} onClose={() => setAdding(false)}>
          <DialogForm
            action="Dazuholen"
            onClose={() => setAdding(false)}
            onSend={async (body) => {
              await call(addGuest, { params: { id }, body });
              await reload(queries, ...partyKeys);
              setAdding(false);
            }}
          >
            <Field name="name" maxLength={guestLimits.name} autoComplete="off" required />
            <Checkbox
              name="has_agreed"
              label="Mein Gast ist einverstanden, hier mit Vornamen und Strichen zu stehen."
              required
            />
            <Hint>
              Nur in dieser Party, beim Anstoßen auch auf dem Fernseher. Ist sie vorbei, wird der Name gelöscht, die
              Biere bleiben in der Summe der Party. In den Bier-Counter zählen sie nie.
            </Hint>
          </DialogForm>
        </Dialog>
        <Confirm
          title="Gast entfernen"
          isOpen={removed !== null}
          action="Entfernen"
          onConfirm={async () => {
            const { message } = await call(removeGuest, { params: { guest: removed!.id } });
            await reload(queries, ...partyKeys);
            return message;
          }}
          onClose={() => setRemoved(null)}
        >
          <p>{`${removed?.name ?? ""} verschwindet aus der Party, und die Biere auch.`}</p>
        </Confirm>
      </Card>
    </section>
  );
}

interface GuestLineProps {
  readonly guest: PartyGuest;
  readonly onRemove: () => void;
}

function GuestLine({ guest, onRemove }: GuestLineProps): ReactNode {
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
            <IconButton className={styles["remove"]} label={`${name} entfernen`} onClick={onRemove}>
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
