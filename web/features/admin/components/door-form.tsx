import { ImagePlus, Trash2, UserMinus } from "lucide-react";
import type { ReactNode } from "react";

import {
  deleteCalendarPicture,
  moveCalendarPicture,
  takeCalendarDoorBack,
  type ManagedCalendar,
} from "#contract/admin-calendar.ts";
import { textOf } from "#web/platform/use-form.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { FileButton } from "#web/ui/file-button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { Select } from "#web/ui/select.tsx";
import { change } from "../queries.ts";
import { dayOf } from "../rules.ts";
import styles from "./door-form.module.css";

interface DoorFormProps {
  readonly days: ManagedCalendar["days"];
  readonly date: string;
  readonly accept: string;
  readonly onPick: (date: string, file: File) => Promise<void>;
  readonly onClose: () => void;
}

/** One door: what hangs behind it, and everything that can be done with that without dragging. */
export function DoorForm({ days, date, accept, onPick, onClose }: DoorFormProps): ReactNode {
  const move = useMutation((to: string) => change(moveCalendarPicture, { params: { date }, body: { to } }));
  const remove = useMutation(() => change(deleteCalendarPicture, { params: { date } }));
  const takeBack = useMutation(() => change(takeCalendarDoorBack, { params: { date } }));
  const isBusy = move.isPending || remove.isPending || takeBack.isPending;
  const { preview, opened, owner } = days.find((day) => day.date === date)!;
  const closeAfter = async (done: Promise<boolean>): Promise<void> => {
    if (await done) onClose();
  };
  const others = days.filter((day) => day.date !== date);
  return (
    <Stack>
      {preview === null ? (
        <p>Hier hängt noch nichts.</p>
      ) : (
        <>
          <img className={styles["picture"]} src={preview} alt="Vorschau" />
          <Hint data-align="center">
            {opened === 0
              ? "Noch hat es niemand geöffnet. Diese Vorschau öffnet es auch nicht."
              : `Schon ${opened}-mal geöffnet.`}
          </Hint>
        </>
      )}
      {owner && (
        <Hint data-align="center">
          {preview === null ? `${owner.name} hängt hier ein Bild auf.` : `Das Bild ist von ${owner.name}.`} Hängst du
          ein anderes auf, gehört das Türchen niemandem mehr.
        </Hint>
      )}
      <FileButton
        kind="primary"
        what="Bild für dieses Türchen"
        accept={accept}
        isWide
        disabled={isBusy}
        onPick={([file]) => {
          void onPick(date, file!);
          onClose();
        }}
      >
        <ImagePlus size={20} />
        {preview === null ? "Bild wählen" : "Anderes Bild wählen"}
      </FileButton>
      {owner && (
        <Button isWide isBusy={takeBack.isPending} disabled={isBusy} onClick={() => void closeAfter(takeBack.run())}>
          <UserMinus size={20} />
          Türchen wieder freigeben
        </Button>
      )}
      {preview !== null && (
        <>
          <form
            className={styles["move"]}
            onSubmit={(event) => {
              event.preventDefault();
              void closeAfter(move.run(textOf(new FormData(event.currentTarget), "to")));
            }}
          >
            <Select
              label="Tauschen mit"
              name="to"
              options={others.map((day) => ({
                value: day.date,
                label: `Türchen ${dayOf(day.date)}${day.preview === null ? " (leer)" : ""}`,
              }))}
            />
            <Button type="submit" isBusy={move.isPending} disabled={isBusy}>
              Tauschen
            </Button>
          </form>
          <Button
            kind="danger"
            isWide
            isBusy={remove.isPending}
            disabled={isBusy}
            onClick={() => void closeAfter(remove.run())}
          >
            <Trash2 size={20} />
            Bild abhängen
          </Button>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Stack>
  );
}
