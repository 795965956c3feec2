import type { ReactNode } from "react";

import type { CalendarImage } from "#contract/christmas-calendar.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";

import { formatDay } from "../rules.ts";
import styles from "./large-picture.module.css";

/** The picture behind a door, as large as the screen allows. */
export function LargePicture({ image, onClose }: { image: CalendarImage | null; onClose: () => void }): ReactNode {
  const day = image === null ? "" : formatDay(image.date);
  return (
    <Dialog title={day} isOpen={image !== null} onClose={onClose} footer={<Button onClick={onClose}>Schließen</Button>}>
      {image !== null && <img className={styles["picture"]} src={image.url} alt={`Großes Bild vom ${day}`} />}
    </Dialog>
  );
}
