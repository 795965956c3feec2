import { Plus } from "lucide-react";
import { useState, type DragEvent, type ReactNode } from "react";

import { moveCalendarPicture, type ManagedCalendar } from "#contract/admin-calendar.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { change } from "../queries.ts";
import styles from "./tiles.module.css";

type Day = ManagedCalendar["days"][number];

interface TilesProps {
  readonly days: readonly Day[];
  readonly isBusy: boolean;
  readonly onOpen: (date: string) => void;
  readonly onDropFile: (date: string, file: File) => Promise<void>;
}

const dragType = "application/x-stammtisch-door";

/** The doors as they hang; dragged onto another one they change places. */
export function Tiles({ days, isBusy, onOpen, onDropFile }: TilesProps): ReactNode {
  const [over, setOver] = useState<string | null>(null);
  const move = useMutation((date: string, to: string) =>
    change(moveCalendarPicture, { params: { date }, body: { to } }),
  );
  const drop = (event: DragEvent, date: string): void => {
    setOver(null);
    const from = event.dataTransfer.getData(dragType);
    const file = event.dataTransfer.files[0];
    const isOneFile = event.dataTransfer.files.length === 1 && file !== undefined;
    // Several files are for the whole calendar.
    if (from === "" && !isOneFile) return;
    event.preventDefault();
    event.stopPropagation();
    if (isOneFile) void onDropFile(date, file);
    else if (from !== date) void move.run(from, date);
  };
  return (
    <ol className={styles["tiles"]} aria-label="Türchen">
      {days.map(({ date, preview, opened, owner }, index) => (
        <li key={date} className={styles["place"]}>
          <button
            type="button"
            className={styles["tile"]}
            aria-label={`${describeDoor(index + 1, preview !== null, opened)}${owner ? `, von ${owner.name}` : ""}`}
            aria-haspopup="dialog"
            disabled={isBusy || move.pending !== null}
            data-over={over === date || undefined}
            data-filled={preview !== null || undefined}
            draggable={preview !== null}
            onClick={() => onOpen(date)}
            onDragStart={(event) => event.dataTransfer.setData(dragType, date)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(date);
            }}
            onDragLeave={() => setOver(null)}
            onDrop={(event) => drop(event, date)}
          >
            {preview === null ? (
              <Plus className={styles["plus"]} size={26} />
            ) : (
              <img className={`covering ${styles["picture"]}`} src={preview} alt="" loading="lazy" draggable={false} />
            )}
            <span className={styles["number"]} aria-hidden="true">
              {index + 1}
            </span>
          </button>
          {owner && (
            <span className={styles["owner"]} aria-hidden="true">
              {owner.name}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function describeDoor(door: number, isFilled: boolean, opened: number): string {
  if (!isFilled) return `Türchen ${door}, leer`;
  return opened === 0 ? `Türchen ${door}` : `Türchen ${door}, ${opened}-mal geöffnet`;
}
