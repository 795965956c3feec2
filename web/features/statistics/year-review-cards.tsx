import { useState, type ReactNode } from "react";

import { toListedMember } from "#contract/members.ts";
import { photoUrl } from "#contract/party-photos.ts";
import type { GroupYear, OwnYear, YearReview } from "#contract/year-review.ts";
import { useGroup, useMember } from "#web/page/session.ts";
import { SharePictureCard, usePicture } from "#web/page/share-picture.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { MatNumber, Tally } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatBeers, formatDay, formatNumber } from "#web/ui/german.ts";
import {
  encodePng,
  drawCountedMat,
  drawMark,
  drawTexts,
  pictureColors,
  startPicture,
} from "#web/ui/picture-drawing.ts";
import reveal from "#web/ui/reveal.module.css";
import { Accent, MatWords, Moments, Photos, StoryFrame, StoryMat, StoryText, turn } from "#web/ui/story-card.tsx";
import type { StoryControls } from "#web/ui/story.tsx";
import styles from "./year-review-cards.module.css";
import { Bundles, Crates, DaySlate, Mugs, RoundTable, Slices, Tower } from "./year-review-drawings.tsx";
import * as rules from "./year-review-rules.ts";

interface ReviewCardProps {
  readonly card: rules.CardName;
  readonly review: YearReview;
  readonly story: StoryControls;
}

export function ReviewCard({ card, review, story }: ReviewCardProps): ReactNode {
  const { year, final, group, own } = review;
  if (card === "cover") return <CoverCard review={review} story={story} />;
  if (card === "ending") return <EndingCard review={review} story={story} />;
  if (card === "total") return <TotalCard group={group} year={year} />;
  if (card === "stack") return <StackCard total={group.total} />;
  if (card === "fullest") return <BusiestTimeCard title="Am vollsten war der Tisch" time={group} />;
  if (card === "longest") return <LongestCard longest={group.longest} />;
  if (card === "days") return <DaysCard days={group.days} year={year} />;
  if (card === "picture") return <PictureCard review={review} />;
  if (card === "photos") return <PhotosCard photos={review.photos} />;
  if (own === null) return <NoBeerCard year={year} />;
  if (card === "own") return <OwnCard total={own.total} year={year} />;
  if (card === "share-of-all") return <ShareOfAllCard slices={rules.countSlices(own, group)} />;
  if (card === "own-times") return <BusiestTimeCard title="Auf dich war Verlass" time={own} />;
  if (card === "span") return <SpanCard own={own} isFinal={final} />;
  return own.company && <CompanyCard company={own.company} />;
}

function CoverCard({ review, story }: Omit<ReviewCardProps, "card">): ReactNode {
  const { year, final } = review;
  const { group_name: group } = useGroup();
  return (
    <StoryFrame
      title="Jahresrückblick"
      drawing={
        <StoryMat>
          <MatWords>{group}</MatWords>
          <p>
            <MatNumber text={String(year)} />
          </p>
          <MatWords>{final ? "das ganze Jahr" : "bis heute"}</MatWords>
        </StoryMat>
      }
      actions={
        <>
          <Button kind="primary" onClick={() => story.go(1)}>
            Unser Jahr
          </Button>
          <Button onClick={() => story.go(rules.findOwnChapter(rules.listCards(review)))}>Mein Jahr</Button>
        </>
      }
    >
      <StoryText look="text">
        {final
          ? "Was vom Jahr auf den Deckeln steht."
          : "Was bisher auf den Deckeln steht. Komplett ist das Jahr am 1. Januar."}
      </StoryText>
      <StoryText look="secondary">Tippen oder wischen</StoryText>
    </StoryFrame>
  );
}

function TotalCard({ group, year }: { group: GroupYear; year: number }): ReactNode {
  return (
    <StoryFrame title="So viel stand auf dem Tisch" drawing={<Bundles count={group.total} />}>
      <StoryText look="number">{formatNumber(group.total)}</StoryText>
      <StoryText look="text">{group.total === 1 ? "Bier" : "Biere, in Bündeln zu fünf"}</StoryText>
      <StoryText look="secondary">{rules.previousYearText(group, year)}</StoryText>
    </StoryFrame>
  );
}

function StackCard({ total }: { total: number }): ReactNode {
  const { crates, rest } = rules.cratesTexts(total);
  return (
    <StoryFrame
      title="Und wenn man das stapelt?"
      drawing={
        <ul className={styles["stacks"]}>
          <li>
            <Tower mats={total} />
            <strong>{rules.formatTowerHeight(total)}</strong>
            <StoryText as="span" look="secondary">
              ein Turm aus Deckeln
            </StoryText>
          </li>
          <li>
            <Crates crates={rules.countCrates(total).crates} />
            <strong>{crates}</strong>
            <StoryText as="span" look="secondary">
              {rest}
            </StoryText>
          </li>
        </ul>
      }
    />
  );
}

function BusiestTimeCard({ title, time }: { title: string; time: Pick<GroupYear, "month" | "weekday"> }): ReactNode {
  const { month, weekday } = time;
  return (
    <StoryFrame title={title} drawing={<RoundTable month={month} weekday={weekday} />}>
      <StoryText look="big">
        im <Accent>{rules.monthName(month)}</Accent> und <Accent>{rules.onWeekdays(weekday)}</Accent>
      </StoryText>
    </StoryFrame>
  );
}

function LongestCard({ longest: { day, total, members, others } }: Pick<GroupYear, "longest">): ReactNode {
  const isCrowd = members.length > 8;
  return (
    <StoryFrame title="Unser vollster Abend">
      <p>
        <StoryText as="span" look="text">
          {formatDay(day, "weekday")},
        </StoryText>
        <br />
        <StoryText as="span" look="big">
          {formatDay(day, "day")}
        </StoryText>
      </p>
      {/* oxlint-disable-next-line no-redundant-roles -- Safari takes the role from a list without markers */}
      <ul className={styles["people"]} role="list" aria-label="Wer da war" data-crowd={isCrowd || undefined}>
        {members.map(toListedMember).map(({ id, name, avatarId }, index) => (
          <li key={id} className={reveal["pop"]} style={turn(index, members.length)}>
            <Avatar id={avatarId} name={name} size={isCrowd ? 40 : 60} />
            <span className="one-line">{name}</span>
          </li>
        ))}
      </ul>
      <StoryText look="text">
        {formatBeers(total)}
        {others > 0 &&
          `, und ${others === 1 ? "jemand" : `${others} Leute`} von früher war${others === 1 ? "" : "en"} auch da`}
      </StoryText>
    </StoryFrame>
  );
}

function DaysCard({ days, year }: { days: readonly string[]; year: number }): ReactNode {
  return (
    <StoryFrame title="So oft war jemand da" shape="wide" drawing={<DaySlate year={year} days={days} />}>
      <StoryText look="big">{rules.formatDays(days.length)}</StoryText>
      <StoryText look="secondary">Jeder Strich ein Tag, an dem hier jemand saß.</StoryText>
    </StoryFrame>
  );
}

function OwnCard({ total, year }: { total: number; year: number }): ReactNode {
  return (
    <StoryFrame
      title="Das ist dein Deckel"
      drawing={
        <StoryMat>
          <p>
            <MatNumber text={formatNumber(total)} />
          </p>
          <MatWords>{total === 1 ? "Bier" : "Biere"}</MatWords>
          <p className={`${styles["strokes"]} ${reveal["fade-in"]}`} style={turn(1, 2)}>
            <Tally count={total} />
          </p>
        </StoryMat>
      }
    >
      <StoryText look="text">{`Schön, dass du ${year} dabei warst.`}</StoryText>
    </StoryFrame>
  );
}

function ShareOfAllCard({ slices }: { slices: number }): ReactNode {
  return (
    <StoryFrame title="Dein Stück vom Deckel" drawing={<Slices slices={slices} />}>
      <StoryText look="text">{rules.shareText(slices)}</StoryText>
    </StoryFrame>
  );
}

function SpanCard({ own: { first, last, pause }, isFinal }: { own: OwnYear; isFinal: boolean }): ReactNode {
  const isOneDay = first === last;
  const date = (day: string): ReactNode => (
    <StoryText as="span" look="big">
      {formatDay(day, "day")}
    </StoryText>
  );
  const moments = [
    { label: isOneDay ? "Du warst da am" : "Dein erstes Bier", content: date(first) },
    pause && {
      label: "Am längsten gefehlt",
      content: (
        <StoryText as="span" look="text">
          <Accent>{rules.formatDays(pause.days)}</Accent>, {rules.formatSpan(pause.from, pause.to)}
        </StoryText>
      ),
    },
    !isOneDay && { label: isFinal ? "Dein letztes Bier" : "Dein bisher letztes", content: date(last) },
  ].filter((moment) => moment !== null && moment !== false);
  return (
    <StoryFrame title={isOneDay ? "Dein Abend" : "Vom ersten bis zum letzten"}>
      <Moments moments={moments} />
    </StoryFrame>
  );
}

function CompanyCard({ company: { member, days } }: { company: NonNullable<OwnYear["company"]> }): ReactNode {
  const user = useMember();
  return (
    <StoryFrame
      title="Deine liebste Gesellschaft"
      shape="low"
      drawing={
        <div className={styles["two"]}>
          <span className={reveal["pull"]}>
            <Avatar id={user?.avatarId ?? null} name={user?.name ?? ""} size={136} />
          </span>
          <span className={reveal["pull"]}>
            <Avatar id={toListedMember(member).avatarId} name={member.name} size={136} />
          </span>
        </div>
      }
    >
      <StoryText look="big">{member.name}</StoryText>
      <StoryText look="text">
        {days === 1
          ? "Einen Tag habt ihr zusammen hier gesessen."
          : `${rules.formatDays(days)} habt ihr zusammen hier gesessen.`}
      </StoryText>
    </StoryFrame>
  );
}

function PhotosCard({ photos }: Pick<YearReview, "photos">): ReactNode {
  const shown = photos.slice(-4);
  return (
    <StoryFrame
      title="Vom Tisch"
      drawing={
        <Photos
          photos={shown.map(({ id, party }) => ({
            src: photoUrl(id, shown.length === 1 ? "screen" : "phone"),
            alt: `Dein Foto von der Party ${party}`,
            caption: party,
          }))}
        />
      }
    />
  );
}

function NoBeerCard({ year }: { year: number }): ReactNode {
  return (
    <StoryFrame
      title="Dein Platz am Tisch"
      drawing={
        <StoryMat>
          <MatWords>Hier liegt immer ein Deckel für dich.</MatWords>
        </StoryMat>
      }
    >
      <StoryText look="text">
        {`${year} steht kein Strich darauf, und das muss auch nicht sein. Schön, dass du zum Tisch gehörst.`}
      </StoryText>
    </StoryFrame>
  );
}

const pictureLabels: Record<rules.PictureChoice, string> = {
  own: "mein Jahr",
  named: "mit Namen",
  group: "unser Jahr",
};

function PictureCard({ review }: { review: YearReview }): ReactNode {
  const { year, final: isFinal, own, group: all } = review;
  const { group_name: group } = useGroup();
  const user = useMember();
  const pictures = rules.listPictures(review);
  const [chosen, setChosen] = useState(pictures[0]!);
  const isOwn = own !== null && chosen !== "group";
  const name = isOwn && chosen === "named" ? (user?.name ?? null) : null;
  const { total } = isOwn ? own : all;
  const lines = isOwn ? rules.pictureLines(own) : rules.groupPictureLines(all);
  const drawn = usePicture(`${chosen} ${user?.name} ${group}`, `jahresrueckblick-${year}.png`, () =>
    drawPicture({ year, isFinal, group, name, total, lines }),
  );
  return (
    <SharePictureCard
      drawn={drawn}
      alt={`${isOwn ? "Dein Bild" : "Das Bild der Gruppe"} zum Teilen: ${year} ${formatBeers(total)}, ${lines.join(", ")}.`}
      legend="Was auf dem Bild steht"
      options={pictures.map((value) => ({ value, label: pictureLabels[value] }))}
      chosen={chosen}
      onChoose={setChosen}
    />
  );
}

interface PictureTexts {
  readonly year: number;
  readonly isFinal: boolean;
  readonly group: string;
  readonly name: string | null;
  readonly total: number;
  readonly lines: readonly string[];
}

async function drawPicture({ year, isFinal, group, name, total, lines }: PictureTexts): Promise<Blob> {
  const { cream, beer } = pictureColors;
  const { canvas, pen } = await startPicture(`${group}${name}`);
  const head = [
    { text: group, size: 76, weight: 800, color: cream },
    { text: `Jahresrückblick ${year}`, size: 50, weight: 650, color: beer },
  ];
  if (!isFinal) head.push({ text: "bis heute", size: 40, weight: 600, color: cream });
  drawTexts(pen, head, { last: isFinal ? 296 : 362 });
  drawCountedMat(pen, 850, { name, sum: null, total });
  const facts = lines.map((text) => ({ text, size: 58, weight: 700, color: cream }));
  drawTexts(pen, facts, { first: 1480 });
  drawMark(pen, 1740);
  return encodePng(canvas);
}

function EndingCard({ review, story }: Omit<ReviewCardProps, "card">): ReactNode {
  return (
    <StoryFrame
      title="So jung kommen wir nicht mehr zusammen"
      drawing={<Mugs />}
      actions={
        <>
          <Button kind="primary" onClick={story.close}>
            Fertig
          </Button>
          <Button onClick={() => story.go(0)}>Von vorn</Button>
        </>
      }
    >
      <StoryText look="big">
        Prost auf <Accent>{review.year + 1}</Accent>
      </StoryText>
    </StoryFrame>
  );
}
