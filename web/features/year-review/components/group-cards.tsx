import type { ReactNode } from "react";

import type { GroupYear } from "#contract/year-review.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { formatBeers, formatNumber } from "#web/ui/german.ts";

import {
  cratesTexts,
  countCrates,
  formatDayAndMonth,
  formatDays,
  monthName,
  onWeekdays,
  formatTowerHeight,
  weekdayName,
  previousYearText,
} from "../rules.ts";
import styles from "./card.module.css";
import { Bundles } from "./bundles.tsx";
import { DaySlate } from "./day-slate.tsx";
import { RoundTable } from "./round-table.tsx";
import { Crates, Tower } from "./stacks.tsx";

export function TotalCard({ group, year }: { group: GroupYear; year: number }): ReactNode {
  const total = formatNumber(group.total);
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        So viel stand auf dem Tisch
      </h2>
      <Bundles count={group.total} />
      <p>
        <span className={styles["number"]} data-length={total.length > 5 ? "long" : undefined}>
          {total}
        </span>
      </p>
      <p className={styles["words"]}>{group.total === 1 ? "Bier" : "Biere, in Bündeln zu fünf"}</p>
      <p className={styles["soft"]}>{previousYearText(group, year)}</p>
    </>
  );
}

export function StackCard({ group: { total } }: { group: GroupYear }): ReactNode {
  const { crates, rest } = cratesTexts(total);
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        Und wenn man das stapelt?
      </h2>
      <ul className={styles["stacks"]}>
        <li>
          <Tower mats={total} />
          <strong>{formatTowerHeight(total)}</strong>
          <span className={styles["soft"]}>ein Turm aus Deckeln</span>
        </li>
        <li>
          <Crates crates={countCrates(total).crates} />
          <strong>{crates}</strong>
          <span className={styles["soft"]}>{rest}</span>
        </li>
      </ul>
    </>
  );
}

/** The month and the weekday with most visits, of the group or of a member. */
export function BusiestTimeCard({
  title,
  time: { month, weekday },
}: {
  title: string;
  time: { month: number; weekday: number };
}): ReactNode {
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        {title}
      </h2>
      <RoundTable month={month} weekday={weekday} />
      <p className={styles["big"]}>
        im <span className={styles["accent"]}>{monthName(month)}</span> und{" "}
        <span className={styles["accent"]}>{onWeekdays(weekday)}</span>
      </p>
    </>
  );
}

/** More pictures than this are shown small. */
const fewPeople = 8;

export function LongestCard({ group: { longest } }: { group: GroupYear }): ReactNode {
  const { day, total, members, others } = longest;
  const isCrowd = members.length > fewPeople;
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        Unser längster Abend
      </h2>
      <p>
        <span className={styles["words"]}>{weekdayName(day)},</span>
        <br />
        <span className={styles["big"]}>{formatDayAndMonth(day)}</span>
      </p>
      {/* Safari takes the role from a list without markers unless it says so. */}
      {/* oxlint-disable-next-line no-redundant-roles */}
      <ul className={styles["people"]} role="list" aria-label="Wer da war" data-crowd={isCrowd || undefined}>
        {members.map(({ id, name, profile_picture }) => (
          <li key={id}>
            <Avatar id={profile_picture} name={name} size={isCrowd ? 40 : 60} />
            <span>{name}</span>
          </li>
        ))}
      </ul>
      <p className={styles["words"]}>
        {formatBeers(total)}
        {others > 0 &&
          `, und ${others === 1 ? "jemand" : `${others} Leute`} von früher war${others === 1 ? "" : "en"} auch da`}
      </p>
    </>
  );
}

export function DaysCard({ group: { days }, year }: { group: GroupYear; year: number }): ReactNode {
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        So oft war jemand da
      </h2>
      <DaySlate year={year} days={days} />
      <p className={styles["big"]}>{formatDays(days.length)}</p>
      <p className={styles["soft"]}>Jeder Strich ein Tag, an dem hier jemand saß.</p>
    </>
  );
}
