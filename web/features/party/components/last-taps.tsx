import { useId, type ReactNode } from "react";

import type { ShownParty } from "#contract/party.ts";
import { useGroup } from "#web/session/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Row } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { EmptyMessage } from "#web/ui/query-state.tsx";
import { describeTap } from "../rules.ts";
import styles from "./last-taps.module.css";

/** Lists the most recent beers of a party, newest first. */
export function LastTaps({ taps }: Pick<ShownParty, "taps">): ReactNode {
  const heading = useId();
  const { time_zone } = useGroup();
  return (
    <section aria-labelledby={heading}>
      <BeerMat shape="chart">
        <h2 id={heading} className={styles["title"]}>
          Zuletzt
        </h2>
        {taps.length === 0 ? (
          <EmptyMessage>Hier steht, wer zuletzt getrunken hat.</EmptyMessage>
        ) : (
          <div className={styles["taps"]}>
            <List label="Zuletzt">
              {taps.map((tap) => (
                <Row as="li" key={tap.id} data-wrap="never">
                  <Avatar id={tap.avatarId} name={tap.userName} size={32} />
                  <span className="one-line">{tap.userName}</span>
                  <time className={styles["time"]} dateTime={tap.at}>
                    {describeTap(tap, time_zone)}
                  </time>
                </Row>
              ))}
            </List>
          </div>
        )}
      </BeerMat>
    </section>
  );
}
