import type { ReactNode } from "react";

import type { TvParty, TvScreen } from "#contract/tv.ts";
import { describeSum } from "#web/features/beers/party-rules.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { MatNumber } from "#web/ui/mat-number.tsx";
import { tonightText } from "../rules.ts";
import styles from "./tonight-mat.module.css";

interface TonightMatProps {
  readonly screen: TvScreen;
  /** The running party whose beers are shown; `null` shows the beers of the evening. */
  readonly party: TvParty | null;
  /** Local time of day, e.g. "21:43". */
  readonly time: string;
}

/** Shows the beers of a party or of the evening on a beer mat, and the group's total below. */
export function TonightMat({ screen, party, time }: TonightMatProps): ReactNode {
  const { group_short, total, tonight, parties } = screen;
  const sum = party && describeSum(party);
  return (
    <>
      <div className={styles["mat"]} data-counter-mat>
        <BeerMat shape="round">
          <p className={styles["short"]}>{group_short}</p>
          <p>
            {/* The key remounts the number when another party is shown, which prevents a
                rolling animation between unrelated numbers. */}
            <MatNumber
              key={party?.id ?? "evening"}
              text={formatNumber(party?.total ?? tonight ?? total)}
              data-counter="tonight"
            />
          </p>
          <p className={styles["what"]}>{party?.name ?? tonightText(time)}</p>
          {sum !== null && <p className={styles["sum"]}>{sum}</p>}
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
