import { useState, type ReactNode } from "react";

import type { PartyRecap } from "#contract/party-recap.ts";
import type { ShownParty } from "#contract/party.ts";
import { describeSum, formatSum } from "#web/features/beers/party-rules.ts";
import { useGroup } from "#web/page/session.ts";
import { PictureFrame, SharePictureButton, usePicture } from "#web/page/share-picture.tsx";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { formatDate } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import {
  encodePng,
  drawCountedMat,
  drawCurve,
  drawMark,
  drawTexts,
  pictureColors,
  startPicture,
} from "#web/ui/picture-drawing.ts";
import styles from "./recap-card.module.css";
import { listCounts, listHourLabels, recapPictureLines } from "./recap-rules.ts";

interface RecapPictureProps {
  readonly party: ShownParty;
  readonly recap: PartyRecap;
  readonly onClose: () => void;
}

export function RecapPicture({ party, recap, onClose }: RecapPictureProps): ReactNode {
  const { group_name: group, time_zone } = useGroup();
  const [hasNames, setHasNames] = useState(false);
  const lines = recapPictureLines(party, hasNames);
  const day = formatDate(party.starts_at, "date", time_zone);
  const drawn = usePicture(
    [group, day, party.name, formatSum(party), ...lines].join("\n"),
    `party-${party.starts_at.slice(0, 10)}.png`,
    () =>
      drawRecap({
        group,
        day,
        name: party.name,
        total: party.total,
        sum: describeSum(party),
        recap,
        lines,
        timeZone: time_zone,
      }),
  );
  return (
    <>
      <div className={styles["picture"]}>
        <div className={styles["frame"]}>
          <PictureFrame
            {...drawn}
            alt={`Bild zum Teilen: ${party.name}, ${day}, ${formatSum(party)}, ${lines.join(", ")}.`}
          />
        </div>
        {party.users.length > 0 && (
          <Row as="fieldset" gap={0} className={styles["choice"]} data-justify="center">
            <legend className="visually-hidden">Namen auf dem Bild</legend>
            <Row as="label" gap={2} data-wrap="never" className={styles["option"]}>
              <input type="radio" name="names" checked={!hasNames} onChange={() => setHasNames(false)} />
              ohne Namen
            </Row>
            <Row as="label" gap={2} data-wrap="never" className={styles["option"]}>
              <input type="radio" name="names" checked={hasNames} onChange={() => setHasNames(true)} />
              mit Namen
            </Row>
          </Row>
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Fertig</Button>
        <SharePictureButton {...drawn} />
      </DialogActions>
    </>
  );
}

interface RecapTexts {
  readonly group: string;
  readonly day: string;
  readonly name: string;
  readonly total: number;
  /** `null` without beers of guests. */
  readonly sum: string | null;
  readonly recap: PartyRecap;
  readonly lines: readonly string[];
  readonly timeZone: string;
}

async function drawRecap({ group, day, name, total, sum, recap, lines, timeZone }: RecapTexts): Promise<Blob> {
  const { cream, beer } = pictureColors;
  const { canvas, pen } = await startPicture(`${group}${name}${lines.join("")}`);
  const title = { text: name, size: 88, weight: 800, color: cream };
  drawTexts(pen, [title, { text: `${group}, ${day}`, size: 46, weight: 650, color: beer }], { last: 306 });
  drawCountedMat(pen, 800, { name: null, total, sum });
  const ticks = listHourLabels(recap, timeZone).map(({ quarter, text }) => ({ span: quarter, text }));
  drawCurve(pen, { top: 1275, height: 200, counts: listCounts(recap), ticks });
  const [people, names] = lines;
  const below = [{ text: people!, size: 58, weight: 700, color: cream }];
  if (names !== undefined) below.push({ text: names, size: 46, weight: 650, color: cream });
  drawTexts(pen, below, { first: names === undefined ? 1660 : 1610 });
  drawMark(pen, 1795);
  return encodePng(canvas);
}
