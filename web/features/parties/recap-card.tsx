import { ImageDown } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";

import type { PartyRecap } from "#contract/party-recap.ts";
import type { ShownParty } from "#contract/party.ts";
import { lazyPart } from "#web/page/newer-version.ts";
import { useGroup } from "#web/page/session.ts";
import { AreaCurve } from "#web/ui/area-curve.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Row } from "#web/ui/layout.tsx";
import styles from "./recap-card.module.css";
import * as recaps from "./recap-rules.ts";

const RecapPicture = lazyPart(async () => (await import("./recap-picture.tsx")).RecapPicture);

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
          counts={recaps.listCounts(recap)}
          ticks={recaps.listHourLabels(recap, time_zone).map(({ quarter, text }) => ({ span: quarter, text }))}
          marked={recaps.findBusiestQuarter(recap)}
          texts={recaps.describeHours(recap, time_zone).map(({ at, text }) => ({ key: at, text }))}
        />
        <dl className={styles["facts"]}>
          {recaps.listFacts(recap, party.total, time_zone).map(({ label, text }) => (
            <div key={label} data-marked={label === recaps.busiestLabel || undefined}>
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
