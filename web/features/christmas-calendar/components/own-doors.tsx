import { ImagePlus, PencilLine, Trash2, Undo2 } from "lucide-react";
import { startTransition, useState, type ReactNode } from "react";

import { type OpenedImages, type OwnDoor, dayNumber } from "#contract/christmas-calendar.ts";
import { useAction } from "#web/forms/use-action.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row, Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { List } from "#web/ui/list.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { changeOwnDoor, dismissNotices, emptyOwnDoor, restoreOwnDoor, useOwnDoors } from "../queries.ts";
import { DoorEditor } from "./door-editor.tsx";
import styles from "./own-doors.module.css";
import { SwapButton, type SwapOffer } from "./swap-button.tsx";
import { SwapOffers } from "./swap-offers.tsx";
import { usePickedPicture } from "./use-picked-picture.ts";

export interface OwnDoorsProps {
  /** Doors of the member that can be filled or changed. */
  readonly doors: readonly OwnDoor[];
  /** Doors of the member that have a picture and whose day has begun. */
  readonly begun: readonly OwnDoor[];
  readonly notices: OpenedImages["notices"];
  /** Today's date by the server's clock, `YYYY-MM-DD`. */
  readonly today: string;
}

interface ShownDoorsProps extends OwnDoorsProps {
  /** Date of the door that is being edited; `null` while all doors are listed. */
  readonly edited: string | null;
  readonly onEdit: (date: string | null) => void;
  readonly onClose: () => void;
}

/**
 * Lists the member's doors and their pictures, or shows the form of the door that is being edited.
 */
export function OwnDoors({ doors, begun, notices, today, edited, onEdit, onClose }: ShownDoorsProps): ReactNode {
  const { data } = useOwnDoors(true);
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
      <SwapOffers offers={data?.offers ?? []} doors={closed} />
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

/** Lists the changes that administrators made to the member's doors. */
function Notices({ notices }: Pick<OwnDoorsProps, "notices">): ReactNode {
  const dismiss = useAction(dismissNotices);
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
  readonly offer: SwapOffer | undefined;
  readonly onPick: (file: File) => void;
  readonly onEdit: () => void;
}

function OwnDoorLine({ door, isClosed, offer, onPick, onEdit }: OwnDoorLineProps): ReactNode {
  const { date, picture, can_restore: canRestore } = door;
  const restore = useAction(() => restoreOwnDoor(date));
  const empty = useAction(async () => {
    const text = await emptyOwnDoor(date);
    showFlash({ type: "success", text, action: { label: "Rückgängig", run: () => void restore.run() } });
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

/**
 * Shows a door whose day has begun. The member can only show or hide the name below its picture.
 */
function BegunDoorLine({ door }: { door: OwnDoor }): ReactNode {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const { run, isPending } = useAction(changeOwnDoor);
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

interface DoorEntryProps {
  readonly door: OwnDoor;
  readonly state: string;
}

function DoorEntry({ door: { date, picture, text }, state }: DoorEntryProps): ReactNode {
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
