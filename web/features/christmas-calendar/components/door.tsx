import { memo, useEffect, useEffectEvent, useRef, useState, type CSSProperties, type ReactNode } from "react";

import { calendarPictureWidths, type CalendarImage, dayNumber } from "#contract/christmas-calendar.ts";
import { ApiError } from "#web/data/api.ts";
import { useAction } from "#web/forms/use-action.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { openDoorOf } from "../queries.ts";
import { emptyText, formatDay, openedTexts, tooEarlyText } from "../rules.ts";
import { doorPaint } from "./door-paint.ts";
import styles from "./door.module.css";
import type { EnlargedPicture } from "./large-picture.tsx";
import { QuestionMark, Shutters } from "./shutters.tsx";

export interface DoorProps {
  image: CalendarImage;
  isToday: boolean;
  /**
   * `true` if the day of the door had not begun when the page loaded its data. The server decides
   * if the door may be opened.
   */
  isAhead: boolean;
  /** Year of a past calendar; `null` for the current calendar. */
  year: number | null;
  onEnlarge: (picture: EnlargedPicture) => void;
}

/**
 * Milliseconds until an opened door shows its picture; matches the animations in door.module.css.
 */
const openingMs = 1050;

type Picture = "waiting" | "shown" | "failed";

/** Door with closed shutters, which turns over as soon as the picture behind it is loaded. */
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
    // The clicked button is removed, so the button that replaces it gets the focus.
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
    // Only the content of the button shakes after a refusal, so that the click target does not
    // move.
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
              // Without `sync`, WebKit does not paint a loaded picture while its side of the door
              // is turned away.
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
