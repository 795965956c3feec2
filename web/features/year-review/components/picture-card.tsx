import { useState, type ReactNode } from "react";

import type { YearReview } from "#contract/year-review.ts";
import { useGroup, useSession } from "#web/session/session.ts";
import { PictureFrame, SharePictureButton, usePicture } from "#web/shell/share-picture.tsx";
import { formatBeers } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import { groupPictureLines, listPictures, pictureLines, type PictureChoice } from "../rules.ts";
import { CardFrame } from "./card-frame.tsx";
import { drawPicture } from "./picture-canvas.ts";
import styles from "./picture-card.module.css";
import reveal from "./reveal.module.css";

const labels: Record<PictureChoice, string> = { own: "mein Jahr", named: "mit Namen", group: "unser Jahr" };

/** Offers to share a picture of the member's year or of the group's year. */
export function PictureCard({ review }: { review: YearReview }): ReactNode {
  const { year, final: isFinal, own, group: all } = review;
  const { group_name: group } = useGroup();
  const { user } = useSession();
  const pictures = listPictures(review);
  const [chosen, setChosen] = useState(pictures[0]!);
  const shown =
    own === null || chosen === "group" ? { all } : { own, name: chosen === "named" ? (user?.name ?? null) : null };
  const drawn = usePicture(`${chosen} ${user?.name} ${group}`, `jahresrueckblick-${year}.png`, () =>
    drawPicture({ year, isFinal, group, shown }),
  );
  const [whose, total, lines] =
    "own" in shown
      ? (["Dein Bild", shown.own.total, pictureLines(shown.own)] as const)
      : (["Das Bild der Gruppe", all.total, groupPictureLines(all)] as const);
  return (
    <CardFrame
      title="Teilen"
      shape="tall"
      drawing={
        <PictureFrame
          {...drawn}
          className={reveal["lay"]}
          alt={`${whose} zum Teilen: ${year} ${formatBeers(total)}, ${lines.join(", ")}.`}
        />
      }
      actions={<SharePictureButton {...drawn} />}
    >
      {pictures.length > 1 && (
        <Row as="fieldset" gap={0} className={styles["choice"]} data-justify="center">
          <legend className="visually-hidden">Was auf dem Bild steht</legend>
          {pictures.map((picture) => (
            <Row key={picture} as="label" gap={2} data-wrap="never" className={styles["option"]}>
              <input type="radio" name="picture" checked={chosen === picture} onChange={() => setChosen(picture)} />
              {labels[picture]}
            </Row>
          ))}
        </Row>
      )}
    </CardFrame>
  );
}
