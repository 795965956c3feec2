import type { ReactNode } from "react";

import type { Phase } from "#contract/game-servers.ts";
import styles from "./tap-picture.module.css";

/** Shows a glass that is covered while paused and knocked over after a crash. */
export function TapPicture({ phase }: { phase: Phase }): ReactNode {
  return (
    <svg className={styles["tap"]} data-phase={phase} viewBox="0 0 80 124" aria-hidden="true">
      <path className={styles["wall"]} d="M2 20a6 6 0 0 1 6-6h2v32H8a6 6 0 0 1-6-6z" />
      <path className={styles["brass"]} d="M10 26h26a9 9 0 0 1 9 9v10h3v4H32v-4h3v-6a3 3 0 0 0-3-3H10z" />
      <path className={styles["shine"]} d="M13 28.6h22a7 7 0 0 1 6.6 5" />
      <g className={styles["handle"]}>
        <path className={styles["brass"]} d="M37 27h6V14h-6z" />
        <path className={styles["grip"]} d="M35 14 36.6 3.5a3.4 3.4 0 0 1 6.8 0L45 14z" />
      </g>
      <path className={styles["stream"]} d="M40 49v62" pathLength="1" />
      {phase === "crashed" ? <KnockedOver /> : <Glass phase={phase} />}
      <path className={styles["tray"]} d="M12 113h56v3a5 5 0 0 1-5 5H17a5 5 0 0 1-5-5z" />
      <path className={styles["slots"]} d="M19 117h6M29 117h6M39 117h6M49 117h6" />
    </svg>
  );
}

const glass = "M26 62h28v45.5a4.5 4.5 0 0 1-4.5 4.5h-19a4.5 4.5 0 0 1-4.5-4.5z";

function Glass({ phase }: { phase: Phase }): ReactNode {
  return (
    <g>
      <path className={styles["back"]} d={glass} />
      <g className={styles["beer"]}>
        <path className={styles["fill"]} d="M27.5 70h25v41h-25z" />
      </g>
      <g className={styles["foam"]}>
        <path d="M26 72a4.6 4.6 0 0 1 .4-9.1 5.4 5.4 0 0 1 8-3.4 6 6 0 0 1 10.6-.2 5.6 5.6 0 0 1 8.2 3.2 4.8 4.8 0 0 1 .8 9.5z" />
      </g>
      <path className={styles["glass"]} d={glass} />
      <path className={styles["glint"]} d="M31 74v28" />
      {phase === "paused" && (
        <path
          className={styles["cover"]}
          d="M19 53.5h42a2 2 0 0 1 2 2v2a2 2 0 0 1-2 2H19a2 2 0 0 1-2-2v-2a2 2 0 0 1 2-2z"
        />
      )}
      {(phase === "unreachable" || phase === "missing") && (
        <path className={styles["question"]} d="M35.5 82a4.6 4.6 0 1 1 6.9 4c-1.6 1-2.4 2-2.4 4M40 96.4v.2" />
      )}
    </g>
  );
}

function KnockedOver(): ReactNode {
  return (
    <g>
      <path className={styles["fill"]} d="M6 112c2-6 12-8 22-8h34c9 0 14 4 15 8z" />
      <g transform="translate(74 85) rotate(90)">
        <path className={styles["glass"]} d="M0 0h25v38a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4z" />
        <path className={styles["glint"]} d="M5 8v24" />
      </g>
    </g>
  );
}
