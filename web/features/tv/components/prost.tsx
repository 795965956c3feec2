import { useEffect, useRef, type ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { prostText } from "../rules.ts";
import styles from "./prost.module.css";
import { TvPortrait } from "./tv-portrait.tsx";

const visibleMs = 4000;
const maxPortraits = 5;

interface ProstProps {
  readonly drinkers: TvScreen["taps"];
  readonly em: number;
  readonly onEnd: () => void;
}

/** Announces new beers with the pictures and names of their drinkers. */
export function Prost({ drinkers, em, onEnd }: ProstProps): ReactNode {
  const end = useRef(onEnd);
  useEffect(() => {
    const timer = setTimeout(() => end.current(), visibleMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles["announcement"]} role="status">
      <div className={styles["people"]}>
        {drinkers.slice(0, maxPortraits).map(({ id, name, avatarId }) => (
          <span key={id} className={styles["person"]}>
            <TvPortrait id={avatarId} name={name} size={(drinkers.length === 1 ? 22 : 14) * em} />
          </span>
        ))}
      </div>
      <p className={styles["text"]}>{prostText(drinkers.map(({ name }) => name))}</p>
    </div>
  );
}
