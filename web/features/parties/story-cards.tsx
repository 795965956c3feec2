import { useState, type ReactNode } from "react";

import { toListedMember } from "#contract/members.ts";
import { photoUrl } from "#contract/party-photos.ts";
import type { PartyRecap } from "#contract/party-recap.ts";
import type { ShownParty } from "#contract/party.ts";
import { describeSum, formatSum } from "#web/features/beers/party-rules.ts";
import { useGroup } from "#web/page/session.ts";
import { SharePictureCard, usePicture } from "#web/page/share-picture.tsx";
import { AreaCurve } from "#web/ui/area-curve.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat, MatNumber, Tally } from "#web/ui/beer-mat.tsx";
import { formatBeers, formatDate, formatNumber, formatTimeOfDay } from "#web/ui/german.ts";
import {
  encodePng,
  drawCountedMat,
  drawCurve,
  drawMark,
  drawTexts,
  pictureColors,
  startPicture,
} from "#web/ui/picture-drawing.ts";
import reveal from "#web/ui/reveal.module.css";
import { MatWords, Moments, Photos, StoryFrame, StoryMat, StoryText, turn } from "#web/ui/story-card.tsx";
import * as recaps from "./recap-rules.ts";
import { formatEverybody } from "./rules.ts";
import styles from "./story-cards.module.css";

interface PartyCardProps {
  readonly party: ShownParty;
  readonly part: recaps.StoryPart;
}

export function PartyCard({ party, part }: PartyCardProps): ReactNode {
  if (part.kind === "cover") return <CoverCard party={party} />;
  if (part.kind === "curve") return <CurveCard recap={part.recap} />;
  if (part.kind === "moments") return <MomentsCard recap={part.recap} total={party.total} />;
  if (part.kind === "round") return <RoundCard round={part.round} />;
  if (part.kind === "friends") return <FriendsCard friends={part.friends} />;
  if (part.kind === "photos") return <PhotosCard photos={part.photos} />;
  return party.recap && <PictureCard party={party} recap={party.recap} />;
}

function CoverCard({ party }: { party: ShownParty }): ReactNode {
  const { time_zone } = useGroup();
  const { name, total, starts_at } = party;
  return (
    <StoryFrame
      title="So war der Abend"
      drawing={
        <StoryMat>
          <MatWords>{name}</MatWords>
          <p>
            <MatNumber text={formatNumber(total)} />
          </p>
          <MatWords>{describeSum(party) ?? (total === 1 ? "Bier" : "Biere")}</MatWords>
        </StoryMat>
      }
    >
      <StoryText look="text">{`${formatDate(starts_at, "date", time_zone)}, ${formatEverybody(party)}`}</StoryText>
      <StoryText look="secondary">Tippen oder wischen</StoryText>
    </StoryFrame>
  );
}

function CurveCard({ recap }: { recap: PartyRecap }): ReactNode {
  const { time_zone } = useGroup();
  return (
    <StoryFrame
      title="Die Kurve der Nacht"
      shape="wide"
      drawing={
        <div className={styles["curve"]}>
          <AreaCurve
            label="Biere im Lauf des Abends"
            counts={recaps.listCounts(recap)}
            ticks={recaps.listHourLabels(recap, time_zone).map(({ quarter, text }) => ({ span: quarter, text }))}
            marked={recaps.findBusiestQuarter(recap)}
            texts={recaps.describeHours(recap, time_zone).map(({ at, text }) => ({ key: at, text }))}
          />
        </div>
      }
    >
      {recap.busiest && <StoryText look="text">{recaps.describeBusiest(recap.busiest, time_zone)}</StoryText>}
    </StoryFrame>
  );
}

function MomentsCard({ recap, total }: { recap: PartyRecap; total: number }): ReactNode {
  const { time_zone } = useGroup();
  return (
    <StoryFrame title="Vom ersten bis zum letzten">
      <Moments
        moments={recaps.listMoments(recap, total).map(({ label, at, name }) => ({
          label,
          content: (
            <>
              <StoryText as="span" look="big">
                {formatTimeOfDay(at, time_zone)}
              </StoryText>
              {name !== null && (
                <StoryText as="span" look="text">
                  {name}
                </StoryText>
              )}
            </>
          ),
        }))}
      />
    </StoryFrame>
  );
}

function RoundCard({ round: { count, at, name } }: { round: NonNullable<PartyRecap["round"]> }): ReactNode {
  const { time_zone } = useGroup();
  return (
    <StoryFrame
      title="Das runde Bier"
      drawing={
        <StoryMat>
          <MatWords>Bier Nummer</MatWords>
          <p>
            <MatNumber text={formatNumber(count)} />
          </p>
          <p className={`${styles["strokes"]} ${reveal["fade-in"]}`} style={turn(1, 2)}>
            <Tally count={5} />
          </p>
        </StoryMat>
      }
    >
      {name !== null && <StoryText look="big">{name}</StoryText>}
      <StoryText look="text">{`um ${formatTimeOfDay(at, time_zone)}`}</StoryText>
    </StoryFrame>
  );
}

function FriendsCard({ friends }: { friends: ShownParty["users"] }): ReactNode {
  const members = friends.map(({ beercounter_entries_count: beers, ...member }) => ({
    ...toListedMember(member),
    beers,
  }));
  return (
    <StoryFrame
      title={members.length === 1 ? "Ein Deckel" : "Eure Deckel"}
      shape="tall"
      drawing={
        // oxlint-disable-next-line no-redundant-roles -- Safari takes the role from a list without markers
        <ul className={styles["friends"]} role="list" data-count={members.length}>
          {members.map(({ id, name, avatarId, beers }, index) => (
            <li key={id} className={reveal["pop"]} style={turn(index, members.length)}>
              <div className={styles["mat"]}>
                <BeerMat shape="round">
                  <div className={styles["onMat"]}>
                    <Avatar id={avatarId} name={name} size={members.length <= 2 ? 80 : 40} />
                    <span className={styles["tally"]}>
                      <Tally count={beers} />
                    </span>
                    <span className={styles["beers"]}>{formatBeers(beers)}</span>
                  </div>
                </BeerMat>
              </div>
              <span className="one-line" title={name}>
                {name}
              </span>
            </li>
          ))}
        </ul>
      }
    />
  );
}

function PhotosCard({ photos }: Pick<ShownParty, "photos">): ReactNode {
  return (
    <StoryFrame
      title="Vom Tisch"
      shape="tall"
      drawing={
        <Photos
          photos={photos.map(({ id, by }) => ({
            src: photoUrl(id, photos.length === 1 ? "screen" : "phone"),
            alt: by === null ? "Foto vom Tisch" : `Foto vom Tisch von ${by}`,
            caption: by,
          }))}
        />
      }
    />
  );
}

function PictureCard({ party, recap }: { party: ShownParty; recap: PartyRecap }): ReactNode {
  const { group_name: group, time_zone } = useGroup();
  const [names, setNames] = useState<"without" | "with">("without");
  const lines = recaps.recapPictureLines(party, names === "with");
  const day = formatDate(party.starts_at, "date", time_zone);
  const drawn = usePicture(
    [group, day, party.name, formatSum(party), ...lines].join("\n"),
    `party-${party.starts_at.slice(0, 10)}.png`,
    () => {
      const { name, total } = party;
      return drawRecap({ group, day, name, total, sum: describeSum(party), recap, lines, timeZone: time_zone });
    },
  );
  return (
    <SharePictureCard
      drawn={drawn}
      alt={`Bild zum Teilen: ${party.name}, ${day}, ${formatSum(party)}, ${lines.join(", ")}.`}
      legend="Namen auf dem Bild"
      options={[
        { value: "without", label: "ohne Namen" },
        ...(party.users.length > 0 ? [{ value: "with" as const, label: "mit Namen" }] : []),
      ]}
      chosen={names}
      onChoose={setNames}
    />
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
  drawTexts(pen, [title, { text: `${group}, ${day}`, size: 46, weight: 650, color: beer }], { last: 290 });
  drawCountedMat(pen, 770, { name: null, total, sum });
  const ticks = recaps.listHourLabels(recap, timeZone).map(({ quarter, text }) => ({ span: quarter, text }));
  drawCurve(pen, { top: 1238, height: 170, counts: recaps.listCounts(recap), ticks });
  const isAlone = lines.length === 1;
  const below = lines.map((text, line) => ({
    text,
    size: isAlone ? 58 : 48,
    weight: 700,
    color: line === 1 && lines.length === 3 ? beer : cream,
  }));
  // Three texts take up to five lines, which fit between the hours and the mark.
  drawTexts(pen, below, isAlone ? { first: 1640 } : { last: 1762 });
  drawMark(pen, 1800);
  return encodePng(canvas);
}
