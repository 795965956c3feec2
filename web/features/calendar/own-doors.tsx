import { ArrowLeftRight, ImagePlus, PencilLine, Trash2, Undo2 } from "lucide-react";
import { startTransition, useState, type ReactNode } from "react";

import * as lottery from "#contract/calendar-lottery.ts";
import { type OpenedImages, type OwnDoor, dayNumber } from "#contract/christmas-calendar.ts";
import { DialogForm } from "#web/forms/dialog-form.tsx";
import { useAction } from "#web/forms/use-action.ts";
import { textOf } from "#web/forms/use-form.ts";
import { showMessage } from "#web/page/messages.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogActions } from "#web/ui/dialog.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Select } from "#web/ui/select.tsx";
import { Switch } from "#web/ui/switch.tsx";
import * as api from "./api.ts";
import { DoorEditor, usePickedPicture } from "./door-editor.tsx";
import styles from "./own-doors.module.css";

export interface OwnDoorsProps {
  /** Doors that can be filled or changed. */
  readonly doors: readonly OwnDoor[];
  /** Doors with a picture whose day has begun. */
  readonly begun: readonly OwnDoor[];
  readonly notices: OpenedImages["notices"];
  /** Today's date by the server's clock, `YYYY-MM-DD`. */
  readonly today: string;
}

interface ShownDoorsProps extends OwnDoorsProps {
  readonly edited: string | null;
  readonly onEdit: (date: string | null) => void;
  readonly onClose: () => void;
}

export function OwnDoors({ doors, begun, notices, today, edited, onEdit, onClose }: ShownDoorsProps): ReactNode {
  const { data } = api.useOwnDoors(true);
  const picked = usePickedPicture();
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
  const dismiss = useAction(api.dismissNotices);
  return (
    <Stack gap={3} className={styles["notices"]} role="status">
      <Stack as="ul" gap={2}>
        {notices.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </Stack>
      <Row>
        <Button isBusy={dismiss.isPending} onClick={() => void dismiss.run(notices.at(-1)!.id)}>
          Verstanden
        </Button>
      </Row>
    </Stack>
  );
}

interface OwnDoorLineProps {
  readonly door: OwnDoor;
  /** `true` until the day of the door begins. */
  readonly isClosed: boolean;
  readonly offer: lottery.OwnDoors["own_offers"][number] | undefined;
  readonly onPick: (file: File) => void;
  readonly onEdit: () => void;
}

function OwnDoorLine({ door, isClosed, offer, onPick, onEdit }: OwnDoorLineProps): ReactNode {
  const { date, picture, can_restore: canRestore } = door;
  const restore = useAction(() => api.restoreOwnDoor(date));
  const empty = useAction(async () => {
    const text = await api.emptyOwnDoor(date);
    showMessage({ type: "success", text, action: { label: "Rückgängig", run: () => void restore.run() } });
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
            <Button isWide isBusy={empty.isPending} disabled={isBusy} onClick={() => void empty.run()}>
              <Trash2 size={20} />
              Abnehmen
            </Button>
          </>
        )}
        {isClosed && <SwapButton door={door} offer={offer} />}
        {canRestore && (
          <Button isWide isBusy={restore.isPending} disabled={isBusy} onClick={() => void restore.run()}>
            <Undo2 size={20} />
            Wieder aufhängen
          </Button>
        )}
      </div>
    </Stack>
  );
}

function BegunDoorLine({ door }: { door: OwnDoor }): ReactNode {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const { run, isPending } = useAction(api.changeOwnDoor);
  const save = async (isHidden: boolean): Promise<void> => {
    setChosen(isHidden);
    await run(door.date, { isHidden });
    startTransition(() => setChosen(null));
  };
  return (
    <Stack as="li" gap={2}>
      <DoorEntry door={door} state="für alle zu sehen" />
      <Switch
        label="Verrät niemand"
        isOn={chosen ?? door.is_hidden}
        disabled={isPending}
        onChange={(isOn) => void save(isOn)}
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
  /** The member's own doors to give in exchange. */
  readonly doors: readonly OwnDoor[];
}

function SwapOffer({ offer: { id, date, by }, doors }: SwapOfferProps): ReactNode {
  const accept = useAction((own: string) => api.acceptSwap(id, own));
  const decline = useAction(() => api.endSwap(id));
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
            isBusy={accept.pending?.[0] === own.date}
            disabled={isBusy}
            aria-label={`Türchen ${dayNumber(own.date)} gegen Türchen ${dayNumber(date)} tauschen`}
            onClick={() => void accept.run(own.date)}
          >
            {`Türchen ${dayNumber(own.date)}`}
          </Button>
        ))}
        <Button isBusy={decline.isPending} disabled={isBusy} onClick={() => void decline.run()}>
          Lieber nicht
        </Button>
      </Row>
    </Stack>
  );
}

function SwapButton({ door, offer }: Pick<OwnDoorLineProps, "door" | "offer">): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const withdraw = useAction(() => api.endSwap(offer!.id));
  const name = `Türchen ${dayNumber(door.date)}`;
  const close = (): void => setOpen(false);
  if (offer !== undefined)
    return (
      <Button
        isWide
        isBusy={withdraw.isPending}
        aria-label={`Angebot für ${name} zurückziehen`}
        onClick={() => void withdraw.run()}
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

function OfferForm({ door, onClose }: { door: OwnDoor; onClose: () => void }): ReactNode {
  const partners = api.useSwapPartners();
  const send = async (values: FormData): Promise<string> => {
    const text = await api.offerSwap(door.date, Number(textOf(values, "member_id")));
    onClose();
    return text;
  };
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
          <DialogForm endpoint={lottery.offerSwap} action="Fragen" onSend={send} onClose={onClose}>
            <p>
              {door.picture === null
                ? "Wen fragst du? Wer Ja sagt, sucht sich aus, welches eigene Türchen du dafür bekommst."
                : "Wen fragst du? Wer Ja sagt, sucht sich aus, welches eigene Türchen du dafür bekommst. Dein Bild zieht mit um."}
            </p>
            <Select
              label="Mitglied"
              name="member_id"
              options={members.map(({ id, name }) => ({ value: String(id), label: name }))}
            />
          </DialogForm>
        )
      }
    </QueryState>
  );
}
