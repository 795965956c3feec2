import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useRef, type CSSProperties, type ReactNode } from "react";

import { dayNumber } from "#contract/christmas-calendar.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import styles from "./drawn-doors-card.module.css";
import { doorPaint, drawnText } from "./rules.ts";
import { Shutters } from "./shutters.tsx";

const shownDoors = 5;

/** Leaves the tap button free and is not modal: the member can still count beers. */
export function DrawnDoorsCard({ dates, onClose }: { dates: readonly string[]; onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const card = useRef<HTMLElement>(null);
  // The top layer is above open dialogs.
  useEffect(() => card.current?.showPopover(), []);
  return (
    <section ref={card} popover="manual" className={styles["card"]} aria-label="Türchen gezogen" aria-live="polite">
      <ul className={styles["doors"]} aria-hidden="true">
        {dates.slice(0, shownDoors).map((date, index) => (
          <li
            key={date}
            className={styles["door"]}
            style={{ "--paint": doorPaint(date), "--place": index } as CSSProperties}
          >
            <Shutters snow={index} leaf={undefined} />
            <span className={styles["number"]}>{dayNumber(date)}</span>
          </li>
        ))}
      </ul>
      <h2 className={styles["title"]}>{drawnText(dates)}</h2>
      <p className={styles["text"]}>
        Häng {dates.length === 1 ? "ein Bild" : "Bilder"} auf, bevor der Tag beginnt. Bis dahin verrät es niemand.
      </p>
      <Button
        kind="primary"
        onClick={() => {
          onClose();
          void navigate({ to: "/christmas-calendar" });
        }}
      >
        Zum Adventskalender
      </Button>
      <IconButton className={styles["close"]} label="Schließen" onClick={onClose}>
        <X size={20} />
      </IconButton>
    </section>
  );
}
