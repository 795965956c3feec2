import { memo, useEffect, useEffectEvent, useRef, useState, type CSSProperties, type ReactNode } from "react";

import { calendarPictureWidths, type CalendarImage } from "#contract/christmas-calendar.ts";
import { ApiError } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { useAction } from "#web/platform/use-action.ts";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { openDoorOf } from "../queries.ts";
import { dayNumber, emptyText, formatDay, openedTexts, tooEarlyText } from "../rules.ts";
import { doorPaint } from "./door-paint.ts";
import styles from "./door.module.css";
import type { EnlargedPicture } from "./large-picture.tsx";
import { QuestionMark, Shutters } from "./shutters.tsx";

export interface DoorProps {
  image: CalendarImage;
  isToday: boolean;
  /** Its day has not come yet, as far as the page knows; the server decides. */
  isAhead: boolean;
  /** The archive's year; null for the calendar that is on. */
  year: number | null;
  onEnlarge: (picture: EnlargedPicture) => void;
}

/** The shutters swing, then the door turns round; the times of door.module.css. */
const openingMs = 1050;

type Picture = "waiting" | "shown" | "failed";

/** One door: closed shutters, and behind them the picture, to which it turns round once that is there. */
export const Door = memo(({ image, isToday, isAhead, year, onEnlarge }: DoorProps): ReactNode => {
  const { date, url } = image;
  const [isRefused, setRefused] = useState(false);
  const [picture, setPicture] = useState<Picture>("waiting");
  const [wasPressed, setPressed] = useState(false);
  const { run: open, isPending: isAsking } = useAction(async () => {
    try {
      await openDoorOf(date, year);
    } catch (error) {
      if (!isAhead || !(error instanceof ApiError) || error.status !== 403) throw error;
      showFlash({ type: "info", text: tooEarlyText(error.message, date) });
    }
  });
  const enlarge = useRef<HTMLButtonElement>(null);
  const opened = openedTexts(image);
  const isCalm = useReducedMotion();
  const isOpen = url !== "" && picture === "shown";
  const isLoading = isAsking || (url !== "" && picture === "waiting");

  const enlargePicture = (): void => onEnlarge({ image, from: enlarge.current!.getBoundingClientRect() });
  const showLarge = useEffectEvent(enlargePicture);

  useEffect(() => {
    if (!isOpen || !wasPressed) return;
    // The button that was pressed is gone; the focus goes to what came in its place.
    enlarge.current?.focus({ preventScroll: true });
    if (!matchMedia("(width < 40rem)").matches) return;
    const timer = setTimeout(showLarge, isCalm ? 0 : openingMs);
    return () => clearTimeout(timer);
  }, [isOpen, wasPressed, isCalm]);

  const press = async (): Promise<void> => {
    setPressed(true);
    if (picture === "failed") return setPicture("waiting");
    await open();
    setRefused(true);
  };

  const front = (
    // What shakes is inside the button, so that the button itself stays where one aims at.
    <span className={`covering ${styles["panel"]}`}>
      <Shutters snow={dayNumber(date)} leaf={styles["leaf"]} />
      <span className={styles["label"]}>
        <span className={styles["number"]}>{dayNumber(date)}</span> <span className={styles["sign"]}>Memechen Nr.</span>
      </span>
      <QuestionMark className={styles["question"]} />
    </span>
  );

  return (
    <div
      className={styles["door"]}
      data-today={isToday || undefined}
      data-ahead={isAhead || undefined}
      style={{ "--paint": doorPaint(date) } as CSSProperties}
    >
      <div
        className={styles["card"]}
        data-open={isOpen || undefined}
        data-pressed={wasPressed || undefined}
        data-refused={(isRefused && !isAsking && url === "") || undefined}
        onAnimationEnd={() => setRefused(false)}
      >
        {isOpen ? (
          <div className={`covering ${styles["front"]}`} aria-hidden="true">
            {front}
          </div>
        ) : (
          <button
            type="button"
            className={`covering ${styles["front"]}`}
            data-closed=""
            aria-busy={isLoading || undefined}
            onClick={() => void (isLoading || press())}
          >
            {front}
          </button>
        )}
        {url !== "" && picture !== "failed" && (
          <figure className={`covering ${styles["back"]}`} inert={!isOpen}>
            <img
              src={url}
              srcSet={`${url}?size=phone ${calendarPictureWidths.phone}w, ${url} ${calendarPictureWidths.screen}w`}
              sizes="(width >= 40rem) 16rem, 33vw"
              // Otherwise WebKit, on a side that is turned round, forgets to paint what was loaded.
              decoding="sync"
              alt={image.is_empty ? `Zeichnung: ${emptyText(image)}` : `Bild vom ${formatDay(date)}`}
              onLoad={() => setPicture("shown")}
              onError={() => setPicture("failed")}
            />
            <button
              ref={enlarge}
              type="button"
              className={styles["enlarge"]}
              aria-label={`${formatDay(date)} groß ansehen`}
              onClick={enlargePicture}
            />
          </figure>
        )}
      </div>
      {isOpen && opened !== null && (
        <p className={styles["opened"]}>
          <span className={image.is_empty && styles["count"]}>{opened[0]}</span>{" "}
          <span className={styles["rest"]}>{image.is_empty ? emptyText(image) : opened[1]}</span>
        </p>
      )}
    </div>
  );
});
