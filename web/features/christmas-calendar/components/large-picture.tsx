import { useEffect, useRef, type ReactNode } from "react";

import type { CalendarImage } from "#contract/christmas-calendar.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { emptyText, formatDay, pictureText } from "../rules.ts";
import styles from "./large-picture.module.css";

export interface EnlargedPicture {
  readonly image: CalendarImage;
  /** Position of the small picture on the screen, from which the large picture grows. */
  readonly from: DOMRect;
}

/** Dialog that shows the picture behind a door as large as the screen allows. */
export function LargePicture({
  enlarged,
  onClose,
}: {
  enlarged: EnlargedPicture | null;
  onClose: () => void;
}): ReactNode {
  const day = enlarged === null ? "" : formatDay(enlarged.image.date);
  return (
    <Dialog
      title={day}
      isOpen={enlarged !== null}
      onClose={onClose}
      footer={<Button onClick={onClose}>Schließen</Button>}
    >
      {enlarged !== null && (
        <figure className={styles["shown"]}>
          <GrowingPicture {...enlarged} day={day} />
          <figcaption>
            {enlarged.image.text !== undefined && <p className={styles["text"]}>{enlarged.image.text}</p>}
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
    // The picture has no size until another effect, which may run later than this one, opens the
    // dialog. Therefore waits for the next frame.
    const frame = requestAnimationFrame(() => {
      const to = picture.current!.getBoundingClientRect();
      const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
      picture.current!.animate([{ transform: start }, {}], { duration: 400, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" });
    });
    return () => cancelAnimationFrame(frame);
  }, [from, isCalm]);
  const alt = image.is_empty ? `Große Zeichnung: ${emptyText(image)}` : `Großes Bild vom ${day}`;
  return <img ref={picture} className={styles["picture"]} src={image.url} alt={alt} />;
}
