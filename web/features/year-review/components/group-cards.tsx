import type { ReactNode } from "react";

import type { GroupYear } from "#contract/year-review.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { formatBeers, formatNumber } from "#web/ui/german.ts";
import * as rules from "../rules.ts";
import { Bundles } from "./bundles.tsx";
import { CardFrame, turn } from "./card-frame.tsx";
import styles from "./card.module.css";
import { DaySlate } from "./day-slate.tsx";
import reveal from "./reveal.module.css";
import { RoundTable } from "./round-table.tsx";
import { Crates, Tower } from "./stacks.tsx";

export function TotalCard({ group, year }: { group: GroupYear; year: number }): ReactNode {
  return (
    <CardFrame title="So viel stand auf dem Tisch" drawing={<Bundles count={group.total} />}>
      <p className={`${styles["number"]} ${reveal["pop"]}`}>{formatNumber(group.total)}</p>
      <p className={styles["text"]}>{group.total === 1 ? "Bier" : "Biere, in Bündeln zu fünf"}</p>
      <p className={styles["secondary"]}>{rules.previousYearText(group, year)}</p>
    </CardFrame>
  );
}

export function StackCard({ group: { total } }: { group: GroupYear }): ReactNode {
  const { crates, rest } = rules.cratesTexts(total);
  return (
    <CardFrame
      title="Und wenn man das stapelt?"
      drawing={
        <ul className={styles["stacks"]}>
          <li>
            <Tower mats={total} />
            <strong>{rules.formatTowerHeight(total)}</strong>
            <span className={styles["secondary"]}>ein Turm aus Deckeln</span>
          </li>
          <li>
            <Crates crates={rules.countCrates(total).crates} />
            <strong>{crates}</strong>
            <span className={styles["secondary"]}>{rest}</span>
          </li>
        </ul>
      }
    />
  );
}

interface BusiestTimeCardProps {
  readonly title: string;
  readonly time: { readonly month: number; readonly weekday: number };
}

/** Shows the month and the weekday on which the group or the member drank most often. */
export function BusiestTimeCard({ title, time: { month, weekday } }: BusiestTimeCardProps): ReactNode {
  return (
    <CardFrame title={title} drawing={<RoundTable month={month} weekday={weekday} />}>
      <p className={styles["big"]}>
        im <span className={styles["accent"]}>{rules.monthName(month)}</span> und{" "}
        <span className={styles["accent"]}>{rules.onWeekdays(weekday)}</span>
      </p>
    </CardFrame>
  );
}

/** Maximum number of people whose pictures are shown in full size. */
const fewPeople = 8;

export function LongestCard({ group: { longest } }: { group: GroupYear }): ReactNode {
  const { day, total, members, others } = longest;
  const isCrowd = members.length > fewPeople;
  return (
    <CardFrame title="Unser vollster Abend">
      <p>
        <span className={styles["text"]}>{rules.weekdayName(day)},</span>
        <br />
        <span className={styles["big"]}>{rules.formatDayAndMonth(day)}</span>
      </p>
      {/* oxlint-disable-next-line no-redundant-roles -- Safari takes the role from a list without markers */}
      <ul className={styles["people"]} role="list" aria-label="Wer da war" data-crowd={isCrowd || undefined}>
        {members.map(({ id, name, profile_picture }, index) => (
          <li key={id} className={reveal["pop"]} style={turn(index, members.length)}>
            <Avatar id={profile_picture} name={name} size={isCrowd ? 40 : 60} />
            <span className="one-line">{name}</span>
          </li>
        ))}
      </ul>
      <p className={styles["text"]}>
        {formatBeers(total)}
        {others > 0 &&
          `, und ${others === 1 ? "jemand" : `${others} Leute`} von früher war${others === 1 ? "" : "en"} auch da`}
      </p>
    </CardFrame>
  );
}

export function DaysCard({ group: { days }, year }: { group: GroupYear; year: number }): ReactNode {
  return (
    <CardFrame title="So oft war jemand da" shape="wide" drawing={<DaySlate year={year} days={days} />}>
      <p className={styles["big"]}>{rules.formatDays(days.length)}</p>
      <p className={styles["secondary"]}>Jeder Strich ein Tag, an dem hier jemand saß.</p>
    </CardFrame>
  );
}
