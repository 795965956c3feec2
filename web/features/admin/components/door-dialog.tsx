import { ImagePlus, Trash2 } from "lucide-react";
import { useRef, type ReactNode } from "react";

import type { ManagedCalendar } from "#contract/admin-calendar.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Select } from "#web/ui/select.tsx";
import { textOf } from "#web/platform/use-form.ts";

import { movePicture, removePicture } from "../queries.ts";
import styles from "./door-dialog.module.css";

interface DoorDialogProps {
  readonly days: ManagedCalendar["days"];
  /** Null: closed. */
  readonly date: string | null;
  readonly accept: string;
  readonly onPick: (date: string, file: File) => Promise<void>;
  readonly onClose: () => void;
}

/** One door: what hangs behind it, and everything that can be done with that without dragging. */
export function DoorDialog({ date, onClose, ...rest }: DoorDialogProps): ReactNode {
  const door = date === null ? "" : Number(date.slice(-2));
  return (
    <Dialog title={`Türchen ${door}`} isOpen={date !== null} onClose={onClose}>
      {date !== null && <DoorForm key={date} date={date} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function DoorForm({ days, date, accept, onPick, onClose }: DoorDialogProps & { date: string }): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const move = useMutation(movePicture);
  const remove = useMutation(removePicture);
  const isBusy = move.pending !== null || remove.pending !== null;
  const { preview, opened } = days.find((day) => day.date === date)!;
  const closeAfter = async (done: Promise<boolean>): Promise<void> => {
    if (await done) onClose();
  };
  const others = days.filter((day) => day.date !== date);
  return (
    <div className={styles["sheet"]}>
      {preview === null ? (
        <p>Hier hängt noch nichts.</p>
      ) : (
        <>
          <img className={styles["picture"]} src={preview} alt="Vorschau" />
          <p className={styles["hint"]}>
            {opened === 0
              ? "Noch hat es niemand geöffnet. Diese Vorschau öffnet es auch nicht."
              : `Schon ${opened}-mal geöffnet.`}
          </p>
        </>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Bild für dieses Türchen"
        accept={accept}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (!file) return;
          void onPick(date, file);
          onClose();
        }}
      />
      <Button kind="primary" isWide disabled={isBusy} onClick={() => input.current?.click()}>
        <ImagePlus size={20} aria-hidden="true" />
        {preview === null ? "Bild wählen" : "Anderes Bild wählen"}
      </Button>
      {preview !== null && (
        <>
          <form
            className={styles["move"]}
            onSubmit={(event) => {
              event.preventDefault();
              void closeAfter(move.run(date, textOf(new FormData(event.currentTarget), "to")));
            }}
          >
            <Select
              label="Tauschen mit"
              name="to"
              options={others.map((day) => ({
                value: day.date,
                label: `Türchen ${Number(day.date.slice(-2))}${day.preview === null ? " (leer)" : ""}`,
              }))}
            />
            <Button type="submit" isBusy={move.pending !== null} disabled={isBusy}>
              Tauschen
            </Button>
          </form>
          <Button
            kind="danger"
            isWide
            isBusy={remove.pending !== null}
            disabled={isBusy}
            onClick={() => void closeAfter(remove.run(date))}
          >
            <Trash2 size={20} aria-hidden="true" />
            Bild abhängen
          </Button>
        </>
      )}
    </div>
  );
}
