import type { ReactNode } from "react";

import type { GroupYear, OwnYear } from "#contract/year-review.ts";
import { useSession } from "#web/platform/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Tally } from "#web/ui/tally.tsx";
import { formatNumber } from "#web/ui/german.ts";

import { formatDayAndMonth, formatDays, shareText, countSlices, formatSpan } from "../rules.ts";
import styles from "./card.module.css";
import { Slices } from "./slices.tsx";

export function OwnCard({ own: { total }, year }: { own: OwnYear; year: number }): ReactNode {
  const number = formatNumber(total);
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        Das ist dein Deckel
      </h2>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <div className={styles["onMat"]}>
            <p className={styles["matNumber"]} data-length={Math.min(6, number.length)}>
              {number}
            </p>
            <p className={styles["matWords"]}>{total === 1 ? "Bier" : "Biere"}</p>
            <p className={styles["strokes"]}>
              <Tally count={total} />
            </p>
          </div>
        </BeerMat>
      </div>
      <p className={styles["words"]}>{`Schön, dass du ${year} dabei warst.`}</p>
    </>
  );
}

export function ShareOfAllCard({ own, group }: { own: OwnYear; group: GroupYear }): ReactNode {
  const slices = countSlices(own, group);
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        Dein Stück vom Deckel
      </h2>
      <Slices slices={slices} />
      <p className={styles["words"]}>{shareText(slices)}</p>
    </>
  );
}

export function SpanCard({ own: { first, last, pause }, isFinal }: { own: OwnYear; isFinal: boolean }): ReactNode {
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        {first === last ? "Dein Abend" : "Vom ersten bis zum letzten"}
      </h2>
      <ol className={styles["milestones"]}>
        <li>
          <span className={styles["soft"]}>{first === last ? "Du warst da am" : "Dein erstes Bier"}</span>
          <span className={styles["big"]}>{formatDayAndMonth(first)}</span>
        </li>
        {pause && (
          <li>
            <span className={styles["soft"]}>Am längsten gefehlt</span>
            <span className={styles["words"]}>
              <span className={styles["accent"]}>{formatDays(pause.days)}</span>, {formatSpan(pause.from, pause.to)}
            </span>
          </li>
        )}
        {first !== last && (
          <li>
            <span className={styles["soft"]}>{isFinal ? "Dein letztes Bier" : "Dein bisher letztes"}</span>
            <span className={styles["big"]}>{formatDayAndMonth(last)}</span>
          </li>
        )}
      </ol>
    </>
  );
}

export function CompanyCard({ company: { member, days } }: { company: NonNullable<OwnYear["company"]> }): ReactNode {
  const { user } = useSession();
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        Deine liebste Gesellschaft
      </h2>
      <div className={styles["two"]}>
        <Avatar id={user?.avatarId ?? null} name={user?.name ?? ""} size={136} />
        <Avatar id={member.profile_picture} name={member.name} size={136} />
      </div>
      <p className={styles["big"]}>{member.name}</p>
      <p className={styles["words"]}>
        {days === 1
          ? "Einen Tag habt ihr zusammen hier gesessen."
          : `${formatDays(days)} habt ihr zusammen hier gesessen.`}
      </p>
    </>
  );
}

export function NoBeerCard({ year }: { year: number }): ReactNode {
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        Dein Platz am Tisch
      </h2>
      <div className={styles["mat"]}>
        <BeerMat shape="round">
          <p className={styles["matWords"]}>Hier liegt immer ein Deckel für dich.</p>
        </BeerMat>
      </div>
      <p className={styles["words"]}>
        {`${year} steht kein Strich darauf, und das muss auch nicht sein. Schön, dass du zum Tisch gehörst.`}
      </p>
    </>
  );
}
