import { ImageDown } from "lucide-react";
import { lazy, Suspense, useState, type ReactNode } from "react";

import type { PartyRecap } from "#contract/party-recap.ts";
import type { ShownParty } from "#contract/party.ts";
import { useGroup } from "#web/session/session.ts";
import { AreaCurve } from "#web/ui/area-curve.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Row } from "#web/ui/layout.tsx";
import * as rules from "../recap-rules.ts";
import styles from "./recap-card.module.css";

/**
 * Shows the recap of an ended party: a curve of the beers over time, and facts such as the busiest
 * quarter of an hour.
 */
export function RecapCard({ party, recap }: { party: ShownParty; recap: PartyRecap }): ReactNode {
  const { time_zone } = useGroup();
  const [isSharing, setSharing] = useState(false);
  return (
    <section className={styles["recap"]} aria-labelledby="recap">
      <Card>
        <h2 id="recap" className={styles["title"]}>
          So war der Abend
        </h2>
        <AreaCurve
          label="Biere im Lauf des Abends"
          counts={rules.listCounts(recap)}
          ticks={rules.listHourLabels(recap, time_zone).map(({ quarter, text }) => ({ span: quarter, text }))}
          marked={rules.findBusiestQuarter(recap)}
          texts={rules.describeHours(recap, time_zone).map(({ at, text }) => ({ key: at, text }))}
        />
        <dl className={styles["facts"]}>
          {rules.listFacts(recap, party.total, time_zone).map(({ label, text }) => (
            <div key={label} data-marked={label === rules.busiestLabel || undefined}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Row data-justify="center">
          <Button onClick={() => setSharing(true)}>
            <ImageDown size={20} />
            Bild zum Teilen
          </Button>
        </Row>
        <Dialog title="Bild zum Teilen" isOpen={isSharing} onClose={() => setSharing(false)}>
          {isSharing && (
            <Suspense fallback={<div className={styles["frame"]} />}>
              <RecapPicture party={party} recap={recap} onClose={() => setSharing(false)} />
            </Suspense>
          )}
        </Dialog>
      </Card>
    </section>
  );
}

const RecapPicture = lazy(async () => ({ default: (await import("./recap-picture.tsx")).RecapPicture }));
