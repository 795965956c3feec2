import { Plus } from "lucide-react";
import { useState, type DragEvent, type ReactNode } from "react";

import { moveCalendarPicture } from "#contract/calendar-doors.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import { confirm } from "#web/forms/confirm.tsx";
import { useAction, type Action } from "#web/forms/use-action.ts";
import { useSession } from "#web/session/session.ts";
import { changeDoor } from "../admin-queries.ts";
import { describeMove, type CalendarDay } from "../admin-rules.ts";
import styles from "./tiles.module.css";
import { WrappedPicture } from "./wrapped-picture.tsx";

interface TilesProps {
  readonly days: readonly CalendarDay[];
  readonly isBusy: boolean;
  readonly onOpen: (date: string) => void;
  readonly onDropFile: (day: CalendarDay, file: File) => Promise<void>;
}

const dragType = "application/x-stammtisch-door";

/**
 * Returns an action that swaps two doors, and asks for confirmation if this affects other members.
 * The action is pending until the question is answered.
 */
export function useMove(): Action<[from: CalendarDay, to: CalendarDay]> {
  const userId = useSession().user?.id ?? 0;
  return useAction(async (from: CalendarDay, to: CalendarDay) => {
    const text = describeMove(from, to, userId);
    if (text !== null && !(await confirm({ title: "Türchen tauschen?", text, action: "Tauschen" }))) return;
    return changeDoor(moveCalendarPicture, {
      params: { date: from.date },
      body: { to: to.date, version: from.version, to_version: to.version },
    });
  });
}

/**
 * Lists the doors of a calendar. Dragging a door onto another swaps their content; dropping a file
 * uploads a picture.
 */
export function Tiles({ days, isBusy, onOpen, onDropFile }: TilesProps): ReactNode {
  const [over, setOver] = useState<string | null>(null);
  const move = useMove();
  const drop = (event: DragEvent, day: CalendarDay): void => {
    setOver(null);
    const from = days.find(({ date }) => date === event.dataTransfer.getData(dragType));
    const file = event.dataTransfer.files[0];
    const isOneFile = event.dataTransfer.files.length === 1 && file !== undefined;
    // Lets a drop of several files bubble up to the calendar, which accepts them.
    if (from === undefined && !isOneFile) return;
    event.preventDefault();
    event.stopPropagation();
    if (isOneFile) void onDropFile(day, file);
    else if (from !== undefined && from !== day) void move.run(from, day);
  };
  return (
    <ol className={styles["tiles"]} aria-label="Türchen">
      {days.map((day) => (
        <li key={day.date} className={styles["place"]}>
          <button
            type="button"
            className={styles["tile"]}
            aria-label={describeDoor(day)}
            aria-haspopup="dialog"
            disabled={isBusy || move.pending !== null}
            data-over={over === day.date || undefined}
            data-filled={day.is_filled || undefined}
            draggable={day.is_filled}
            onClick={() => onOpen(day.date)}
            onDragStart={(event) => event.dataTransfer.setData(dragType, day.date)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(day.date);
            }}
            onDragLeave={() => setOver(null)}
            onDrop={(event) => drop(event, day)}
          >
            <TilePicture day={day} />
            <span className={styles["number"]} aria-hidden="true">
              {dayNumber(day.date)}
            </span>
          </button>
          {day.owner && (
            <span className={styles["owner"]} aria-hidden="true">
              {day.owner.name}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function TilePicture({ day: { date, preview, is_filled: isFilled } }: { day: CalendarDay }): ReactNode {
  if (!isFilled) return <Plus className={styles["plus"]} size={26} />;
  if (preview === null) return <WrappedPicture day={dayNumber(date)} />;
  return <img className={`covering ${styles["picture"]}`} src={preview} alt="" loading="lazy" draggable={false} />;
}

function describeDoor({ date, is_filled: isFilled, preview, opened, owner }: CalendarDay): string {
  const words = [
    `Türchen ${dayNumber(date)}`,
    ...(isFilled ? [] : ["leer"]),
    ...(isFilled && preview === null ? ["gefüllt"] : []),
    ...(opened > 0 && isFilled ? [`${opened}-mal geöffnet`] : []),
    ...(owner ? [`von ${owner.name}`] : []),
  ];
  return words.join(", ");
}
