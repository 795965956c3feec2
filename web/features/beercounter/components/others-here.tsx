import type { ReactNode } from "react";

import { Avatar } from "#web/ui/avatar.tsx";
import { formatNumber } from "#web/ui/german.ts";

import { useOtherPresentMembers } from "../queries.ts";
import { formatNames } from "../rules.ts";
import styles from "./others-here.module.css";

/** As many pictures as fit beside each other on the smallest phone. */
const maxPictures = 5;

/** Who else has the app open; renders nothing if there is none. */
export function OthersHere(): ReactNode {
  const others = useOtherPresentMembers();
  const more = others.length - maxPictures;
  if (others.length === 0) return null;
  return (
    <p className={styles["here"]}>
      <span className="visually-hidden">{`Gerade hier: ${formatNames(others.map(({ name }) => name))}`}</span>
      <span className={styles["word"]} aria-hidden="true">
        Gerade hier
      </span>
      <span className={styles["pictures"]} aria-hidden="true">
        {others.slice(0, maxPictures).map(({ id, name, avatarId }) => (
          <Avatar key={id} id={avatarId} name={name} size={28} />
        ))}
        {more > 0 && <span className={styles["more"]}>{`+${formatNumber(more)}`}</span>}
      </span>
    </p>
  );
}
