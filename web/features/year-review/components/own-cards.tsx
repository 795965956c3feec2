import type { ReactNode } from "react";

import type { GroupYear, OwnYear } from "#contract/year-review.ts";
import { useSession } from "#web/session/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { MatNumber } from "#web/ui/mat-number.tsx";
import { Tally } from "#web/ui/tally.tsx";
import { formatDayAndMonth, formatDays, shareText, countSlices, formatSpan } from "../rules.ts";
import { CardFrame, turn } from "./card-frame.tsx";
import styles from "./card.module.css";
import reveal from "./reveal.module.css";
import { Slices } from "./slices.tsx";
import { StoryMat } from "./story-mat.tsx";

export function OwnCard({ own: { total }, year }: { own: OwnYear; year: number }): ReactNode {
  return (
    <CardFrame
      title="Das ist dein Deckel"
      drawing={
        <StoryMat>
          <p>
            <MatNumber text={formatNumber(total)} />
          </p>
          <p className={styles["matWords"]}>{total === 1 ? "Bier" : "Biere"}</p>
          <p className={`${styles["strokes"]} ${reveal["fade-in"]}`} style={turn(1, 2)}>
            <Tally count={total} />
          </p>
        </StoryMat>
      }
    >
      <p className={styles["text"]}>{`Schön, dass du ${year} dabei warst.`}</p>
    </CardFrame>
  );
}

export function ShareOfAllCard({ own, group }: { own: OwnYear; group: GroupYear }): ReactNode {
  const slices = countSlices(own, group);
  return (
    <CardFrame title="Dein Stück vom Deckel" drawing={<Slices slices={slices} />}>
      <p className={styles["text"]}>{shareText(slices)}</p>
    </CardFrame>
  );
}

export function SpanCard({ own: { first, last, pause }, isFinal }: { own: OwnYear; isFinal: boolean }): ReactNode {
  const isOneDay = first === last;
  const lines = [
    { label: isOneDay ? "Du warst da am" : "Dein erstes Bier", date: first },
    pause && { label: "Am längsten gefehlt", pause },
    !isOneDay && { label: isFinal ? "Dein letztes Bier" : "Dein bisher letztes", date: last },
  ].filter((line) => line !== null && line !== false);
  return (
    <CardFrame title={isOneDay ? "Dein Abend" : "Vom ersten bis zum letzten"}>
      <ol className={styles["milestones"]}>
        {lines.map((line, index) => (
          <li key={line.label} className={reveal["slide-in"]} style={turn(index, lines.length)}>
            <span className={styles["secondary"]}>{line.label}</span>
            {"date" in line ? (
              <span className={styles["big"]}>{formatDayAndMonth(line.date)}</span>
            ) : (
              <span className={styles["text"]}>
                <span className={styles["accent"]}>{formatDays(line.pause.days)}</span>,{" "}
                {formatSpan(line.pause.from, line.pause.to)}
              </span>
            )}
          </li>
        ))}
      </ol>
    </CardFrame>
  );
}

export function CompanyCard({ company: { member, days } }: { company: NonNullable<OwnYear["company"]> }): ReactNode {
  const { user } = useSession();
  return (
    <CardFrame
      title="Deine liebste Gesellschaft"
      shape="low"
      drawing={
        <div className={styles["two"]}>
          <span className={reveal["pull"]}>
            <Avatar id={user?.avatarId ?? null} name={user?.name ?? ""} size={136} />
          </span>
          <span className={reveal["pull"]}>
            <Avatar id={member.profile_picture} name={member.name} size={136} />
          </span>
        </div>
      }
    >
      <p className={styles["big"]}>{member.name}</p>
      <p className={styles["text"]}>
        {days === 1
          ? "Einen Tag habt ihr zusammen hier gesessen."
          : `${formatDays(days)} habt ihr zusammen hier gesessen.`}
      </p>
    </CardFrame>
  );
}

export function NoBeerCard({ year }: { year: number }): ReactNode {
  return (
    <CardFrame
      title="Dein Platz am Tisch"
      drawing={
        <StoryMat>
          <p className={styles["matWords"]}>Hier liegt immer ein Deckel für dich.</p>
        </StoryMat>
      }
    >
      <p className={styles["text"]}>
        {`${year} steht kein Strich darauf, und das muss auch nicht sein. Schön, dass du zum Tisch gehörst.`}
      </p>
    </CardFrame>
  );
}
