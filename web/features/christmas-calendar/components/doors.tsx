import { memo, startTransition, useEffect, useState, type ReactNode } from "react";

import type { OpenedImages } from "#contract/christmas-calendar.ts";
import { doorId } from "../rules.ts";
import { Door } from "./door.tsx";
import styles from "./doors.module.css";
import type { EnlargedPicture } from "./large-picture.tsx";

export interface DoorsProps {
  doors: OpenedImages;
  /** Year of a past calendar; `null` for the current calendar. */
  year: number | null;
  /** Shows a picture large, growing from its position in the calendar. */
  onEnlarge: (picture: EnlargedPicture) => void;
}

/** Number of doors rendered per frame; more would block the main thread of a phone for too long. */
const doorsAtOnce = 6;

/** Shows the doors of a year in three columns, or in four on wide screens. */
export const Doors = memo(({ doors: { images, today }, year, onEnlarge }: DoorsProps): ReactNode => {
  const [drawn, setDrawn] = useState(doorsAtOnce);
  useEffect(() => {
    if (drawn >= images.length) return;
    // Waits for the next frame, so that the browser shows the doors rendered so far before it
    // renders more.
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(drawn + doorsAtOnce)));
    return () => cancelAnimationFrame(frame);
  }, [drawn, images]);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      // Does not scroll to today's door if the browser has restored the scroll position of an
      // earlier visit.
      if (scrollY > 0) return;
      const door = document.getElementById(doorId(today));
      if (door && door.getBoundingClientRect().bottom > innerHeight) door.scrollIntoView({ block: "center" });
    });
    return () => cancelAnimationFrame(frame);
  }, [today]);
  return (
    <ul className={styles["doors"]}>
      {images.map((image, place) => (
        <li key={image.date} id={doorId(image.date)} className={place < drawn ? undefined : styles["placeholder"]}>
          {place < drawn && (
            <Door
              image={image}
              isToday={image.date === today}
              isAhead={image.date > today}
              year={year}
              onEnlarge={onEnlarge}
            />
          )}
        </li>
      ))}
    </ul>
  );
});

/** Shows skeletons while the doors are loading. */
export function DoorsSkeleton(): ReactNode {
  return (
    <div className={styles["doors"]} role="status" aria-label="Die Türchen werden aufgehängt …">
      {Array.from({ length: 24 }, (_, index) => (
        <div key={index} className={styles["placeholder"]} />
      ))}
    </div>
  );
}
