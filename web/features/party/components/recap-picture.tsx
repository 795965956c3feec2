import { useState, type ReactNode } from "react";

import type { PartyRecap } from "#contract/party-recap.ts";
import type { ShownParty } from "#contract/party.ts";
import { useGroup } from "#web/session/session.ts";
import { describeSum, formatSum } from "#web/shared/parties/rules.ts";
import { PictureFrame, SharePictureButton, usePicture } from "#web/shell/share-picture.tsx";
import { Button } from "#web/ui/button.tsx";
import { DialogActions } from "#web/ui/dialog.tsx";
import { formatDate } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import { recapPictureLines } from "../recap-rules.ts";
import { drawRecap } from "./recap-canvas.ts";
import styles from "./recap-card.module.css";

interface RecapPictureProps {
  readonly party: ShownParty;
  readonly recap: PartyRecap;
  readonly onClose: () => void;
}

/** Offers to share a picture of the party's recap, with or without the names of its members. */
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
