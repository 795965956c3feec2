import { useMutation } from "@tanstack/react-query";
import {
  memo,
  startTransition,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
} from "react";

import {
  calendarPictureWidths,
  type CalendarImage,
  dayNumber,
  type OpenedImages,
} from "#contract/christmas-calendar.ts";
import { ApiError } from "#web/client/api.ts";
import { showMessage } from "#web/page/messages.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { formatDay } from "#web/ui/german.ts";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { Hint } from "#web/ui/text.tsx";
import { useOpenDoor } from "./api.ts";
import styles from "./doors.module.css";
import questionMark from "./question-mark.svg";
import { doorId, doorPaint, emptyText, openedTexts, pictureText, tooEarlyText } from "./rules.ts";
import { Shutters } from "./shutters.tsx";

interface DoorsProps {
  doors: OpenedImages;
  /** `null` is the current calendar. */
  year: number | null;
  onEnlarge: (picture: EnlargedPicture) => void;
}

/** Doors drawn per frame: more would block a phone for too long. */
const doorsAtOnce = 6;

export const Doors = memo(({ doors: { images, today }, year, onEnlarge }: DoorsProps): ReactNode => {
  const [drawn, setDrawn] = useState(doorsAtOnce);
  useEffect(() => {
    if (drawn >= images.length) return;
    const frame = requestAnimationFrame(() => startTransition(() => setDrawn(drawn + doorsAtOnce)));
    return () => cancelAnimationFrame(frame);
  }, [drawn, images]);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      // The browser has restored an earlier visit's position.
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

export function DoorsSkeleton(): ReactNode {
  return (
    <div className={styles["doors"]} role="status" aria-label="Die Türchen werden aufgehängt …">
      {Array.from({ length: 24 }, (_, index) => (
        <div key={index} className={styles["placeholder"]} />
      ))}
    </div>
  );
}

interface DoorProps {
  image: CalendarImage;
  isToday: boolean;
  /** Only by the page's data; the server decides. */
  isAhead: boolean;
  year: number | null;
  onEnlarge: (picture: EnlargedPicture) => void;
}

/** The duration in doors.module.css. */
const openingMs = 1050;

type Picture = "waiting" | "shown" | "failed";

/** Turns over once the picture behind it is loaded. */
const Door = memo(({ image, isToday, isAhead, year, onEnlarge }: DoorProps): ReactNode => {
  const { date, url } = image;
  const [isRefused, setRefused] = useState(false);
  const [picture, setPicture] = useState<Picture>("waiting");
  const [wasPressed, setPressed] = useState(false);
  const openDoor = useOpenDoor(year);
  const { mutate: open, isPending: isAsking } = useMutation({
    async mutationFn() {
      try {
        await openDoor(date);
      } catch (error) {
        if (!isAhead || !(error instanceof ApiError) || error.status !== 403) throw error;
        showMessage({ type: "info", text: tooEarlyText(error.message, date) });
      }
    },
    onSettled: () => setRefused(true),
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
    // The clicked button, which had the focus, is gone.
    enlarge.current?.focus({ preventScroll: true });
    if (!matchMedia("(width < 40rem)").matches) return;
    const timer = setTimeout(showLarge, isCalm ? 0 : openingMs);
    return () => clearTimeout(timer);
  }, [isOpen, wasPressed, isCalm]);

  const press = (): void => {
    setPressed(true);
    if (picture === "failed") setPicture("waiting");
    else open();
  };

  const front = (
    // The click target itself does not shake.
    <span className={`covering ${styles["panel"]}`}>
      <Shutters snow={dayNumber(date)} leaf={styles["leaf"]} />
      <span className={styles["label"]}>
        <span className={styles["number"]}>{dayNumber(date)}</span> <span className={styles["sign"]}>Memechen Nr.</span>
      </span>
      <img className={styles["question"]} src={questionMark} alt="" />
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
            onClick={() => isLoading || press()}
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
              // Without `sync`, WebKit does not paint the side that is turned away.
              decoding="sync"
              alt={image.is_empty ? `Zeichnung: ${emptyText(image)}` : `Bild vom ${formatDay(date, "day")}`}
              onLoad={() => setPicture("shown")}
              onError={() => setPicture("failed")}
            />
            <button
              ref={enlarge}
              type="button"
              className={styles["enlarge"]}
              aria-label={`${formatDay(date, "day")} groß ansehen`}
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

export interface EnlargedPicture {
  readonly image: CalendarImage;
  /** Position of the small picture. */
  readonly from: DOMRect;
}

export function LargePicture({
  enlarged,
  onClose,
}: {
  enlarged: EnlargedPicture | null;
  onClose: () => void;
}): ReactNode {
  const day = enlarged === null ? "" : formatDay(enlarged.image.date, "day");
  return (
    <Dialog
      title={day}
      isOpen={enlarged !== null}
      onClose={onClose}
      footer={<Button onClick={onClose}>Schließen</Button>}
    >
      {enlarged !== null && (
        <figure className={styles["enlarged"]}>
          <GrowingPicture {...enlarged} day={day} />
          <figcaption>
            {enlarged.image.text !== undefined && <p className={styles["words"]}>{enlarged.image.text}</p>}
            <Hint data-align="center">{pictureText(enlarged.image)}</Hint>
          </figcaption>
        </figure>
      )}
    </Dialog>
  );
}

function GrowingPicture({ image, from, day }: EnlargedPicture & { day: string }): ReactNode {
  const picture = useRef<HTMLImageElement>(null);
  const isCalm = useReducedMotion();
  useEffect(() => {
    if (isCalm) return;
    // The dialog, and with it the picture's size, may open in a later effect.
    const frame = requestAnimationFrame(() => {
      const to = picture.current!.getBoundingClientRect();
      const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
      picture.current!.animate([{ transform: start }, {}], { duration: 400, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" });
    });
    return () => cancelAnimationFrame(frame);
  }, [from, isCalm]);
  const alt = image.is_empty ? `Große Zeichnung: ${emptyText(image)}` : `Großes Bild vom ${day}`;
  return <img ref={picture} className={styles["large"]} src={image.url} alt={alt} />;
}
