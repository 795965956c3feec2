import type { UseQueryResult } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";

import type { MemberPage } from "#contract/member-page.ts";
import { waitingCount } from "#web/data/outbox.ts";
import { useStore } from "#web/data/store.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { formatBeers, formatNumber } from "#web/ui/german.ts";
import { Hint } from "#web/ui/hint.tsx";
import { RollingNumber } from "#web/ui/rolling-number.tsx";
import { Tally } from "#web/ui/tally.tsx";
import styles from "./member-mat.module.css";

interface MemberMatProps {
  readonly query: UseQueryResult<MemberPage>;
  readonly isOwn: boolean;
  /** The member's name and profile picture; `undefined` while loading. */
  readonly face: Pick<MemberPage, "name" | "profile_picture"> | undefined;
}

/**
 * Shows a beer mat with the member's beers of today, this week and this year as tally strokes, and
 * the profile picture on its edge.
 */
export function MemberMat({ query: { data, isPending }, isOwn, face }: MemberMatProps): ReactNode {
  const waiting = useStore(waitingCount);
  return (
    <section className={styles["section"]} aria-label="Striche">
      <div className={styles["mat"]} data-own={isOwn || undefined} data-blank={isPending || undefined}>
        <BeerMat shape="round">
          <div className={styles["counts"]}>
            <Today count={data?.beers.today} isOwn={isOwn} />
            <div className={styles["periods"]}>
              <Period label="Woche" count={data?.beers.week} />
              <Period label="Jahr" count={data?.beers.year} />
            </div>
          </div>
        </BeerMat>
        <span className={styles["face"]}>
          {face && <Avatar id={face.profile_picture} name={face.name} size={76} />}
        </span>
      </div>
      <p className={styles["total"]}>
        {data && `${formatBeers(data.beers.total)} insgesamt`}
        {isOwn && waiting > 0 && (
          <Hint as="span" className={styles["waiting"]}>
            <CloudOff size={18} />
            {`${formatBeers(waiting)} ${waiting === 1 ? "wartet" : "warten"} auf Empfang.`}
          </Hint>
        )}
      </p>
    </section>
  );
}

/**
 * Shows today's beers. The key remounts the heading when the number is loaded, which avoids a
 * layout shift.
 */
function Today({ count, isOwn }: { count: number | undefined; isOwn: boolean }): ReactNode {
  return (
    <div className={styles["today"]} data-many={(count !== undefined && count > 10) || undefined}>
      <p key={String(count === undefined)} className={styles["heading"]}>
        <span className={styles["label"]}>Heute</span>{" "}
        <span className={styles["number"]} data-counter="today">
          {count !== undefined && <RollingNumber text={formatNumber(count)} />}
        </span>
      </p>
      <p className={styles["strokes"]}>
        {count === 0 ? (
          <span className={styles["none"]}>{isOwn ? "Heute noch kein Strich." : "Heute kein Strich."}</span>
        ) : (
          count !== undefined && <Tally count={count} />
        )}
      </p>
    </div>
  );
}

function Period({ label, count }: { label: string; count: number | undefined }): ReactNode {
  return (
    <div className={styles["period"]}>
      <p key={String(count === undefined)} className={styles["heading"]}>
        <span className={styles["label"]}>{label}</span>{" "}
        <span className={styles["number"]} data-counter={label === "Woche" ? "week" : "year"}>
          {count !== undefined && <RollingNumber text={formatNumber(count)} />}
        </span>
      </p>
      <p className={styles["strokes"]}>{count !== undefined && count > 0 && <Tally count={count} />}</p>
    </div>
  );
}
