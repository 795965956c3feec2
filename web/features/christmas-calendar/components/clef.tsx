import type { ReactNode } from "react";

import styles from "./clef.module.css";

export interface ClefProps {
  kind: "treble" | "bass";
  /** `true` if the music has started or waits for a click to start. */
  isEnabled: boolean;
  isPlaying: boolean;
  onToggle: () => void;
}

/** Button in the shape of a clef that mutes and unmutes the music. */
export function Clef({ kind, isEnabled, isPlaying, onToggle }: ClefProps): ReactNode {
  return (
    <button
      type="button"
      className={styles["clef"]}
      aria-label="Musik"
      aria-pressed={isPlaying}
      title={isPlaying ? "Musik ausschalten" : "Musik einschalten"}
      disabled={!isEnabled}
      onClick={onToggle}
    >
      <svg viewBox="0 0 32 48" aria-hidden="true">
        {kind === "treble" ? (
          <path d={treble} />
        ) : (
          <>
            <path d={bass} />
            <circle cx="28" cy="13.5" r="1.6" />
            <circle cx="28" cy="21.5" r="1.6" />
            <circle cx="8.6" cy="19.5" r="3" />
          </>
        )}
        <path className={styles["stroke"]} d="M4 44 28 4" />
      </svg>
    </button>
  );
}

const treble =
  "M12.4 40.6c-.6-2 .5-3.6 2.2-3.6 1.8 0 2.7 2 1.7 3.7-.8 1.4-2.4 2-3.9 1.2M15.6 44.2c3.4.5 5.6-1.9 5.1-5.6L16.4 10.4C15.8 6.6 17 3.6 19.2 2.4c2.2 2.6 2.4 6.6.5 9.8C17.2 16.3 10 19.4 8.4 25.6 7 31.2 11 35.4 16.2 35.4c4.6 0 7.8-2.8 7.8-6.6 0-3.5-2.6-6-5.8-6-3 0-5.2 2.1-5.2 4.8 0 2.2 1.2 3.7 3 4.3";
const bass = "M8.6 22.4c-2.4-.4-3.6-2.6-3.2-5.2C6 12.6 9.8 9.8 14.2 10c5.4.2 8.6 4.4 8 10.2-.8 7.4-7.4 13.4-16.4 17";
