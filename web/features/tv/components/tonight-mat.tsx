import type { ReactNode } from "react";

import type { TvParty, TvScreen } from "#contract/tv.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { MatNumber } from "#web/ui/mat-number.tsx";
import { tonightText } from "../rules.ts";
import styles from "./tonight-mat.module.css";

interface TonightMatProps {
  readonly screen: TvScreen;
  /** The running party whose number is shown; `null` shows the evening's number. */
  readonly party: TvParty | null;
  /** Time of day like "21:43". */
  readonly time: string;
}

/** Shows the beers of the party or the evening on a mat, and the group's total below it. */
export function TonightMat({ screen, party, time }: TonightMatProps): ReactNode {
  const { group_short, total, tonight, parties } = screen;
  return (
    <>
      <div className={styles["mat"]} data-counter-mat>
        <BeerMat shape="round">
          <p className={styles["short"]}>{group_short}</p>
          <p>
            {/* The key prevents a rolling animation between the numbers of two parties. */}
            <MatNumber
              key={party?.id ?? "evening"}
              text={formatNumber(party?.total ?? tonight ?? total)}
              data-counter="tonight"
            />
          </p>
          <p className={styles["what"]}>{party?.name ?? tonightText(time)}</p>
          {parties.length > 1 && (
            <p className={styles["dots"]} aria-hidden="true">
              {parties.map(({ id }) => (
                <span key={id} data-current={id === party?.id || undefined} />
              ))}
            </p>
          )}
        </BeerMat>
      </div>
      <p className={styles["total"]}>
        insgesamt <strong data-counter="group">{formatNumber(total)}</strong>
      </p>
    </>
  );
}
