import type { ReactNode } from "react";

import { useSession } from "#web/platform/session.ts";
import type { PresenceEntry } from "#web/platform/realtime.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { useNow } from "#web/ui/use-now.ts";

import { useLatestBeer, useOtherPresentMembers } from "../queries.ts";
import { describeLatest, formatNames } from "../rules.ts";
import styles from "./company.module.css";

/** As many pictures as fit beside each other on the smallest phone. */
const maxPictures = 5;
const minute = 60_000;

/** Who else has the app open; with nobody there, who drank last. */
export function Company(): ReactNode {
  const others = useOtherPresentMembers();
  return others.length === 0 ? <Latest /> : <OthersHere others={others} />;
}

function OthersHere({ others }: { others: readonly PresenceEntry[] }): ReactNode {
  const more = others.length - maxPictures;
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

function Latest(): ReactNode {
  const { data: beer } = useLatestBeer();
  const { user } = useSession();
  const now = useNow(minute);
  if (beer === undefined) return null;
  return <p className={styles["here"]}>{describeLatest(beer, user?.id, Math.max(now, Date.now()))}</p>;
}
