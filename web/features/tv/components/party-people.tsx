import type { ReactNode } from "react";

import type { TvParty } from "#contract/tv.ts";
import { formatPeople } from "../rules.ts";
import styles from "./party-people.module.css";
import { TvPortrait } from "./tv-portrait.tsx";

const maxPortraits = 6;

export function PartyPeople({ party, em }: { party: TvParty; em: number }): ReactNode {
  return (
    <section className={styles["people"]} aria-label={`Dabei: ${party.name}`}>
      <div className={styles["portraits"]}>
        {party.members.slice(0, maxPortraits).map(({ id, name, avatarId }) => (
          <span key={id} className={styles["portrait"]}>
            <TvPortrait id={avatarId} name={name} size={4.2 * em} />
          </span>
        ))}
      </div>
      <p className={styles["names"]}>{formatPeople(party)}</p>
    </section>
  );
}
