import { useDeferredValue, useEffect, type ReactNode } from "react";

import type { OpenedImages } from "#contract/christmas-calendar.ts";
import { ApiError } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { useMutation } from "#web/platform/use-mutation.ts";

import { openDoorOf } from "../queries.ts";
import { doorId, tooEarlyText } from "../rules.ts";
import { Door, type EnlargePicture } from "./door.tsx";
import styles from "./doors.module.css";

export interface DoorsProps {
  doors: OpenedImages;
  /** The archive's year; null for the calendar that is on. */
  year: number | null;
  onEnlarge: EnlargePicture;
}

/** So many are on the first screen of a phone. */
const firstDoors = 12;

/** The doors of a year, four in a row where there is room. */
export function Doors({ doors: { images, today }, year, onEnlarge }: DoorsProps): ReactNode {
  const { run: open } = useMutation(async (date: string) => {
    try {
      await openDoorOf(date, year);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 403) throw error;
      showFlash({ type: "info", text: tooEarlyText(error.message, date) });
    }
  });
  // The others come once these are there.
  const drawn = useDeferredValue(images.length, firstDoors);
  useEffect(() => {
    // Who comes back to a place further down stays there.
    if (scrollY > 0) return;
    const door = document.getElementById(doorId(today));
    if (door && door.getBoundingClientRect().bottom > innerHeight) door.scrollIntoView({ block: "center" });
  }, [today]);
  return (
    <ul className={styles["doors"]}>
      {images.map((image, place) => (
        <li key={image.date} id={doorId(image.date)}>
          {place < drawn && (
            <Door
              image={image}
              isToday={image.date === today}
              isAhead={image.date > today}
              onOpen={open}
              onEnlarge={onEnlarge}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Where the doors will be. */
export function DoorsSkeleton(): ReactNode {
  return (
    <div className={styles["doors"]} role="status" aria-label="Die Türchen werden aufgehängt …">
      {Array.from({ length: 24 }, (_, index) => (
        <div key={index} className={styles["placeholder"]} />
      ))}
    </div>
  );
}
