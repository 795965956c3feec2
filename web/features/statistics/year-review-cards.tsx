import { useState, type ReactNode } from "react";

import { toListedMember } from "#contract/members.ts";
import type { GroupYear, OwnYear, YearReview } from "#contract/year-review.ts";
import { useGroup, useMember } from "#web/page/session.ts";
import { PictureFrame, SharePictureButton, usePicture } from "#web/page/share-picture.tsx";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat, MatNumber, Tally } from "#web/ui/beer-mat.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatBeers, formatDay, formatNumber } from "#web/ui/german.ts";
import { Row } from "#web/ui/layout.tsx";
import {
  encodePng,
  drawCountedMat,
  drawMark,
  drawTexts,
  pictureColors,
  startPicture,
} from "#web/ui/picture-drawing.ts";
import reveal from "./reveal.module.css";
import styles from "./year-review-cards.module.css";
import { Bundles, Crates, DaySlate, Mugs, RoundTable, Slices, Tower, turn } from "./year-review-drawings.tsx";
import * as rules from "./year-review-rules.ts";

interface ReviewCardProps {
  readonly card: rules.CardName;
  readonly review: YearReview;
  readonly onGo: (index: number) => void;
  readonly onClose: () => void;
}

export function ReviewCard({ card, review, onGo, onClose }: ReviewCardProps): ReactNode {
  const { year, final, group, own } = review;
  if (card === "cover") return <CoverCard review={review} onGo={onGo} />;
  if (card === "ending") return <EndingCard review={review} onGo={onGo} onClose={onClose} />;
  if (card === "total") return <TotalCard group={group} year={year} />;
  if (card === "stack") return <StackCard total={group.total} />;
  if (card === "fullest") return <BusiestTimeCard title="Am vollsten war der Tisch" time={group} />;
  if (card === "longest") return <LongestCard longest={group.longest} />;
  if (card === "days") return <DaysCard days={group.days} year={year} />;
  if (card === "picture") return <PictureCard review={review} />;
  if (own === null) return <NoBeerCard year={year} />;
  if (card === "own") return <OwnCard total={own.total} year={year} />;
  if (card === "share-of-all") return <ShareOfAllCard slices={rules.countSlices(own, group)} />;
  if (card === "own-times") return <BusiestTimeCard title="Auf dich war Verlass" time={own} />;
  if (card === "span") return <SpanCard own={own} isFinal={final} />;
  return own.company && <CompanyCard company={own.company} />;
}

interface FrameProps {
  readonly title: string;
  /** Drawing above the text, or beside it on low screens. */
  readonly drawing?: ReactNode;
  /** Roughly square if omitted. */
  readonly shape?: "wide" | "low" | "tall";
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

function Frame({ title, drawing, shape, actions, children }: FrameProps): ReactNode {
  return (
    <>
      <h2 className={styles["title"]} tabIndex={-1}>
        {title}
      </h2>
      <div className={styles["body"]}>
        {drawing !== undefined && (
          <div className={styles["drawing"]} data-shape={shape}>
            {drawing}
          </div>
        )}
        {children !== undefined && <div className={styles["below"]}>{children}</div>}
      </div>
      {actions !== undefined && <Row data-justify="center">{actions}</Row>}
    </>
  );
}

function Mat({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className={`${styles["mat"]} ${reveal["lay"]}`}>
      <BeerMat shape="round">
        <div className={styles["onMat"]}>{children}</div>
      </BeerMat>
    </div>
  );
}

function CoverCard({ review, onGo }: Pick<ReviewCardProps, "review" | "onGo">): ReactNode {
  const { year, final } = review;
  const { group_name: group } = useGroup();
  return (
    <Frame
      title="Jahresrückblick"
      drawing={
        <Mat>
          <p className={styles["matWords"]}>{group}</p>
          <p>
            <MatNumber text={String(year)} />
          </p>
          <p className={styles["matWords"]}>{final ? "das ganze Jahr" : "bis heute"}</p>
        </Mat>
      }
      actions={
        <>
          <Button kind="primary" onClick={() => onGo(1)}>
            Unser Jahr
          </Button>
          <Button onClick={() => onGo(rules.findOwnChapter(rules.listCards(review)))}>Mein Jahr</Button>
        </>
      }
    >
      <p className={styles["text"]}>
        {final
          ? "Was vom Jahr auf den Deckeln steht."
          : "Was bisher auf den Deckeln steht. Komplett ist das Jahr am 1. Januar."}
      </p>
      <p className={styles["secondary"]}>Tippen, wischen oder Pfeiltasten</p>
    </Frame>
  );
}

function TotalCard({ group, year }: { group: GroupYear; year: number }): ReactNode {
  return (
    <Frame title="So viel stand auf dem Tisch" drawing={<Bundles count={group.total} />}>
      <p className={`${styles["number"]} ${reveal["pop"]}`}>{formatNumber(group.total)}</p>
      <p className={styles["text"]}>{group.total === 1 ? "Bier" : "Biere, in Bündeln zu fünf"}</p>
      <p className={styles["secondary"]}>{rules.previousYearText(group, year)}</p>
    </Frame>
  );
}

function StackCard({ total }: { total: number }): ReactNode {
  const { crates, rest } = rules.cratesTexts(total);
  return (
    <Frame
      title="Und wenn man das stapelt?"
      drawing={
        <ul className={styles["stacks"]}>
          <li>
            <Tower mats={total} />
            <strong>{rules.formatTowerHeight(total)}</strong>
            <span className={styles["secondary"]}>ein Turm aus Deckeln</span>
          </li>
          <li>
            <Crates crates={rules.countCrates(total).crates} />
            <strong>{crates}</strong>
            <span className={styles["secondary"]}>{rest}</span>
          </li>
        </ul>
      }
    />
  );
}

function BusiestTimeCard({ title, time }: { title: string; time: Pick<GroupYear, "month" | "weekday"> }): ReactNode {
  const { month, weekday } = time;
  return (
    <Frame title={title} drawing={<RoundTable month={month} weekday={weekday} />}>
      <p className={styles["big"]}>
        im <span className={styles["accent"]}>{rules.monthName(month)}</span> und{" "}
        <span className={styles["accent"]}>{rules.onWeekdays(weekday)}</span>
      </p>
    </Frame>
  );
}

function LongestCard({ longest: { day, total, members, others } }: Pick<GroupYear, "longest">): ReactNode {
  const isCrowd = members.length > 8;
  return (
    <Frame title="Unser vollster Abend">
      <p>
        <span className={styles["text"]}>{formatDay(day, "weekday")},</span>
        <br />
        <span className={styles["big"]}>{formatDay(day, "day")}</span>
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
      <p className={styles["text"]}>
        {formatBeers(total)}
        {others > 0 &&
          `, und ${others === 1 ? "jemand" : `${others} Leute`} von früher war${others === 1 ? "" : "en"} auch da`}
      </p>
    </Frame>
  );
}

function DaysCard({ days, year }: { days: readonly string[]; year: number }): ReactNode {
  return (
    <Frame title="So oft war jemand da" shape="wide" drawing={<DaySlate year={year} days={days} />}>
      <p className={styles["big"]}>{rules.formatDays(days.length)}</p>
      <p className={styles["secondary"]}>Jeder Strich ein Tag, an dem hier jemand saß.</p>
    </Frame>
  );
}

function OwnCard({ total, year }: { total: number; year: number }): ReactNode {
  return (
    <Frame
      title="Das ist dein Deckel"
      drawing={
        <Mat>
          <p>
            <MatNumber text={formatNumber(total)} />
          </p>
          <p className={styles["matWords"]}>{total === 1 ? "Bier" : "Biere"}</p>
          <p className={`${styles["strokes"]} ${reveal["fade-in"]}`} style={turn(1, 2)}>
            <Tally count={total} />
          </p>
        </Mat>
      }
    >
      <p className={styles["text"]}>{`Schön, dass du ${year} dabei warst.`}</p>
    </Frame>
  );
}

function ShareOfAllCard({ slices }: { slices: number }): ReactNode {
  return (
    <Frame title="Dein Stück vom Deckel" drawing={<Slices slices={slices} />}>
      <p className={styles["text"]}>{rules.shareText(slices)}</p>
    </Frame>
  );
}

function SpanCard({ own: { first, last, pause }, isFinal }: { own: OwnYear; isFinal: boolean }): ReactNode {
  const isOneDay = first === last;
  const lines = [
    { label: isOneDay ? "Du warst da am" : "Dein erstes Bier", date: first },
    pause && { label: "Am längsten gefehlt", pause },
    !isOneDay && { label: isFinal ? "Dein letztes Bier" : "Dein bisher letztes", date: last },
  ].filter((line) => line !== null && line !== false);
  return (
    <Frame title={isOneDay ? "Dein Abend" : "Vom ersten bis zum letzten"}>
      <ol className={styles["milestones"]}>
        {lines.map((line, index) => (
          <li key={line.label} className={reveal["slide-in"]} style={turn(index, lines.length)}>
            <span className={styles["secondary"]}>{line.label}</span>
            {"date" in line ? (
              <span className={styles["big"]}>{formatDay(line.date, "day")}</span>
            ) : (
              <span className={styles["text"]}>
                <span className={styles["accent"]}>{rules.formatDays(line.pause.days)}</span>,{" "}
                {rules.formatSpan(line.pause.from, line.pause.to)}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Frame>
  );
}

function CompanyCard({ company: { member, days } }: { company: NonNullable<OwnYear["company"]> }): ReactNode {
  const user = useMember();
  return (
    <Frame
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
      <p className={styles["big"]}>{member.name}</p>
      <p className={styles["text"]}>
        {days === 1
          ? "Einen Tag habt ihr zusammen hier gesessen."
          : `${rules.formatDays(days)} habt ihr zusammen hier gesessen.`}
      </p>
    </Frame>
  );
}

function NoBeerCard({ year }: { year: number }): ReactNode {
  return (
    <Frame
      title="Dein Platz am Tisch"
      drawing={
        <Mat>
          <p className={styles["matWords"]}>Hier liegt immer ein Deckel für dich.</p>
        </Mat>
      }
    >
      <p className={styles["text"]}>
        {`${year} steht kein Strich darauf, und das muss auch nicht sein. Schön, dass du zum Tisch gehörst.`}
      </p>
    </Frame>
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
    <Frame
      title="Teilen"
      shape="tall"
      drawing={
        <PictureFrame
          {...drawn}
          className={reveal["lay"]}
          alt={`${isOwn ? "Dein Bild" : "Das Bild der Gruppe"} zum Teilen: ${year} ${formatBeers(total)}, ${lines.join(", ")}.`}
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
              {pictureLabels[picture]}
            </Row>
          ))}
        </Row>
      )}
    </Frame>
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

function EndingCard({ review, onGo, onClose }: Omit<ReviewCardProps, "card">): ReactNode {
  return (
    <Frame
      title="So jung kommen wir nicht mehr zusammen"
      drawing={<Mugs />}
      actions={
        <>
          <Button kind="primary" onClick={onClose}>
            Fertig
          </Button>
          <Button onClick={() => onGo(0)}>Von vorn</Button>
        </>
      }
    >
      <p className={styles["big"]}>
        Prost auf <span className={styles["accent"]}>{review.year + 1}</span>
      </p>
    </Frame>
  );
}
