import { useMutation, useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, ImagePlus, PencilLine, Trash2, Undo2 } from "lucide-react";
import { useState, type ReactNode } from "react";

import * as lottery from "#contract/calendar-lottery.ts";
import { dismissCalendarNotices } from "#contract/calendar-notices.ts";
import {
  changeOwnDoor,
  dayNumber,
  emptyOwnDoor,
  type OpenedImages,
  type OwnDoor,
  restoreOwnDoor,
} from "#contract/christmas-calendar.ts";
import { call } from "#web/client/api.ts";
import { replyOptions } from "#web/client/queries.ts";
import { formFor } from "#web/page/form.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useReload } from "#web/page/queries.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Switch } from "#web/ui/choice.tsx";
import { usePickedPicture } from "#web/ui/cropper.tsx";
import { Dialog, DialogActions } from "#web/ui/dialog.tsx";
import { FileButton } from "#web/ui/field.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { ListItem, List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import { calendarKey, useDoorChange, useOwnDoors } from "./api.ts";
import { DoorEditor } from "./door-editor.tsx";
import styles from "./own-doors.module.css";
import { unreadableText } from "./rules.ts";

export interface OwnDoorsProps {
  readonly doors: readonly OwnDoor[];
  /** Doors with a picture, on or after their day. */
  readonly begun: readonly OwnDoor[];
  readonly notices: OpenedImages["notices"];
  /** Date by the server's clock, `YYYY-MM-DD`. */
  readonly today: string;
}

interface ShownDoorsProps extends OwnDoorsProps {
  readonly edited: string | null;
  readonly onEdit: (date: string | null) => void;
  readonly onClose: () => void;
}

export function OwnDoors({ doors, begun, notices, today, edited, onEdit, onClose }: ShownDoorsProps): ReactNode {
  const { data } = useOwnDoors();
  const picked = usePickedPicture({
    onUnreadable: (file) => showMessage({ type: "error", text: unreadableText(file) }),
  });
  const closed = doors.filter(({ date }) => date > today);
  const editedDoor = doors.find(({ date }) => date === edited);
  const close = (): void => {
    picked.discard();
    onEdit(null);
  };
  if (editedDoor) return <DoorEditor key={edited} door={editedDoor} picked={picked} onClose={close} />;
  const pick = async (date: string, file: File): Promise<void> => {
    if (await picked.pick(file)) onEdit(date);
  };
  return (
    <Stack>
      {notices.length > 0 && <Notices notices={notices} />}
      {data?.offers.map((offer) => (
        <SwapOffer key={offer.id} offer={offer} doors={closed} />
      ))}
      {doors.length > 0 && (
        <>
          <p>
            {closed.length > 0 &&
              "Häng hier ein Bild auf, bevor der Tag beginnt. Bis dahin ist es für alle anderen eine Überraschung. "}
            Ein leeres Türchen kannst du noch bis zum Jahresende füllen.
          </p>
          <List label="Deine Türchen">
            {doors.map((door) => (
              <OwnDoorLine
                key={door.date}
                door={door}
                isClosed={closed.includes(door)}
                offer={data?.own_offers.find(({ date }) => date === door.date)}
                onPick={(file) => void pick(door.date, file)}
                onEdit={() => onEdit(door.date)}
              />
            ))}
          </List>
        </>
      )}
      {begun.length > 0 && (
        <>
          {doors.length > 0 && <h3>Schon offen</h3>}
          <List label="Türchen, deren Tag begonnen hat">
            {begun.map((door) => (
              <BegunDoorLine key={door.date} door={door} />
            ))}
          </List>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Stack>
  );
}

function Notices({ notices }: Pick<OwnDoorsProps, "notices">): ReactNode {
  const reloadDoors = useReload(calendarKey);
  const dismiss = useMutation({
    async mutationFn(id: number) {
      await call(dismissCalendarNotices, { params: { id } });
      await reloadDoors();
    },
  });
  return (
    <Stack gap={3} className={styles["notices"]} role="status">
      <Stack as="ul" gap={2}>
        {notices.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </Stack>
      <Row>
        <Button isBusy={dismiss.isPending} onClick={() => dismiss.mutate(notices.at(-1)!.id)}>
          Verstanden
        </Button>
      </Row>
    </Stack>
  );
}

interface OwnDoorLineProps {
  readonly door: OwnDoor;
  readonly isClosed: boolean;
  readonly offer: lottery.OwnDoors["own_offers"][number] | undefined;
  readonly onPick: (file: File) => void;
  readonly onEdit: () => void;
}

function OwnDoorLine({ door, isClosed, offer, onPick, onEdit }: OwnDoorLineProps): ReactNode {
  const { date, picture, can_restore: canRestore } = door;
  const params = { date };
  const change = useDoorChange();
  const restore = useMutation({ mutationFn: () => change(call(restoreOwnDoor, { params })) });
  const empty = useMutation({
    async mutationFn() {
      const text = await change(call(emptyOwnDoor, { params }));
      showMessage({ type: "success", text, action: { label: "Rückgängig", run: restore.mutate } });
    },
  });
  const isBusy = empty.isPending || restore.isPending;
  const name = `Türchen ${dayNumber(date)}`;
  const state = picture !== null ? "dein Bild hängt" : isClosed ? "noch kein Bild" : "schon offen, noch kein Bild";
  const states = [
    state,
    ...(offer ? [`${offer.to.name} ist gefragt`] : []),
    ...(door.is_hidden ? ["verrät niemand"] : []),
  ];
  return (
    <Stack as="li" gap={2}>
      <DoorEntry door={door} state={states.join(" · ")} />
      <div className={styles["actions"]}>
        <FileButton
          kind={picture === null ? "primary" : "plain"}
          what={`Bild für ${name}`}
          accept="image/*"
          isWide
          disabled={isBusy}
          onPick={([file]) => onPick(file!)}
        >
          <ImagePlus size={20} />
          {picture === null ? "Bild wählen" : "Anderes Bild"}
        </FileButton>
        {picture !== null && (
          <>
            <Button isWide disabled={isBusy} onClick={onEdit}>
              <PencilLine size={20} />
              Beschriften
            </Button>
            <Button isWide isBusy={empty.isPending} disabled={isBusy} onClick={() => empty.mutate()}>
              <Trash2 size={20} />
              Abnehmen
            </Button>
          </>
        )}
        {isClosed && <SwapButton door={door} offer={offer} />}
        {canRestore && (
          <Button isWide isBusy={restore.isPending} disabled={isBusy} onClick={() => restore.mutate()}>
            <Undo2 size={20} />
            Wieder aufhängen
          </Button>
        )}
      </div>
    </Stack>
  );
}

function BegunDoorLine({ door }: { door: OwnDoor }): ReactNode {
  const change = useDoorChange();
  const hide = useMutation({
    mutationFn: (isHidden: boolean) =>
      change(call(changeOwnDoor, { params: { date: door.date }, body: { is_hidden: isHidden } })),
  });
  return (
    <Stack as="li" gap={2}>
      <DoorEntry door={door} state="für alle zu sehen" />
      <Switch
        label="Verrät niemand"
        isOn={hide.isPending ? hide.variables : door.is_hidden}
        disabled={hide.isPending}
        onChange={hide.mutate}
      />
    </Stack>
  );
}

function DoorEntry({ door: { date, picture, text }, state }: { door: OwnDoor; state: string }): ReactNode {
  const name = `Türchen ${dayNumber(date)}`;
  return (
    <ListItem
      picture={
        <span className={styles["place"]} data-filled={picture !== null || undefined}>
          {picture === null ? (
            dayNumber(date)
          ) : (
            <img className={styles["picture"]} src={`${picture}?size=phone`} alt={`Dein Bild für ${name}`} />
          )}
        </span>
      }
    >
      <strong>{name}</strong>
      <Hint as="span">{state}</Hint>
      {text !== null && <span className={styles["text"]}>„{text}“</span>}
    </ListItem>
  );
}

interface SwapOfferProps {
  readonly offer: lottery.OwnDoors["offers"][number];
  /** Own doors to give in exchange. */
  readonly doors: readonly OwnDoor[];
}

function SwapOffer({ offer: { id, date, by }, doors }: SwapOfferProps): ReactNode {
  const params = { id };
  const change = useDoorChange();
  const accept = useMutation({
    mutationFn: (own: string) => change(call(lottery.acceptSwap, { params, body: { date: own } })),
  });
  const decline = useMutation({ mutationFn: () => change(call(lottery.endSwap, { params })) });
  const isBusy = accept.isPending || decline.isPending;
  const moves = doors.some(({ picture }) => picture !== null) ? " Dein Bild zieht mit um." : "";
  return (
    <Stack as="section" gap={3} className={styles["offer"]} aria-label={`Tausch mit ${by.name}`}>
      <ListItem picture={<Avatar id={by.avatarId} name={by.name} size={44} />}>
        <strong>{`${by.name} möchte tauschen`}</strong>
        <Hint as="span">{`Türchen ${dayNumber(date)} gegen eins von deinen. Welches gibst du her?${moves}`}</Hint>
      </ListItem>
      <Row gap={2}>
        {doors.map((own) => (
          <Button
            key={own.date}
            isBusy={accept.isPending && accept.variables === own.date}
            disabled={isBusy}
            aria-label={`Türchen ${dayNumber(own.date)} gegen Türchen ${dayNumber(date)} tauschen`}
            onClick={() => accept.mutate(own.date)}
          >
            {`Türchen ${dayNumber(own.date)}`}
          </Button>
        ))}
        <Button isBusy={decline.isPending} disabled={isBusy} onClick={() => decline.mutate()}>
          Lieber nicht
        </Button>
      </Row>
    </Stack>
  );
}

function SwapButton({ door, offer }: Pick<OwnDoorLineProps, "door" | "offer">): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const change = useDoorChange();
  const withdraw = useMutation({ mutationFn: () => change(call(lottery.endSwap, { params: { id: offer!.id } })) });
  const name = `Türchen ${dayNumber(door.date)}`;
  const close = (): void => setOpen(false);
  if (offer !== undefined)
    return (
      <Button
        isWide
        isBusy={withdraw.isPending}
        aria-label={`Angebot für ${name} zurückziehen`}
        onClick={() => withdraw.mutate()}
      >
        <Undo2 size={20} />
        Zurückziehen
      </Button>
    );
  return (
    <>
      <Button isWide aria-label={`${name} tauschen`} onClick={() => setOpen(true)}>
        <ArrowLeftRight size={20} />
        Tauschen
      </Button>
      <Dialog title={`${name} tauschen`} isOpen={isOpen} onClose={close}>
        {isOpen && <OfferForm door={door} onClose={close} />}
      </Dialog>
    </>
  );
}

const swap = formFor(lottery.offerSwap);

function OfferForm({ door, onClose }: { door: OwnDoor; onClose: () => void }): ReactNode {
  const partners = useQuery(replyOptions(lottery.getSwapPartners));
  const change = useDoorChange();
  return (
    <QueryState
      query={partners}
      failedText="Mit wem du tauschen kannst, ließ sich gerade nicht laden."
      skeleton={<Skeleton lines={3} />}
    >
      {(members) =>
        members.length === 0 ? (
          <p>Gerade hat sonst niemand ein Türchen, das noch zu ist.</p>
        ) : (
          <swap.DialogForm
            action="Fragen"
            readMore={(values) => ({ date: door.date, member_id: Number(values.get("member_id")) })}
            onSend={async (body) => {
              const text = await change(call(lottery.offerSwap, { body }));
              onClose();
              return text;
            }}
            onClose={onClose}
          >
            <p>
              {door.picture === null
                ? "Wen fragst du? Wer Ja sagt, sucht sich aus, welches eigene Türchen du dafür bekommst."
                : "Wen fragst du? Wer Ja sagt, sucht sich aus, welches eigene Türchen du dafür bekommst. Dein Bild zieht mit um."}
            </p>
            <swap.Select
              name="member_id"
              options={members.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          </swap.DialogForm>
        )
      }
    </QueryState>
  );
}
