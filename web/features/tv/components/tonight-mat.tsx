import type { ReactNode } from "react";

import type { TvParty, TvScreen } from "#contract/tv.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { MatNumber } from "#web/ui/mat-number.tsx";
import { tonightText } from "../rules.ts";
import styles from "./tonight-mat.module.css";

interface TonightMatProps {
  readonly screen: TvScreen;
  /** The running party whose number is shown; `null`: that of the evening. */
  readonly party: TvParty | null;
  /** "21:43" */
  readonly time: string;
}

/** The beers of the party or the evening, large on a mat, and all beers of the group below it. */
export function TonightMat({ screen, party, time }: TonightMatProps): ReactNode {
  const { group_short, total, tonight, parties } = screen;
  return (
    <>
      <div className={styles["mat"]} data-counter-mat>
        <BeerMat shape="round">
          <p className={styles["short"]}>{group_short}</p>
          <p>
            {/* Of another party it does not roll from the number of the one before. */}
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
