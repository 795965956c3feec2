import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ChevronRight, CloudOff, PartyPopper } from "lucide-react";
import { useId, type ReactNode } from "react";

import { getMemberPage, type MemberPage as MemberData } from "#contract/member-page.ts";
import { toListedMember, type User } from "#contract/members.ts";
import { ApiError } from "#web/client/api.ts";
import { isWaiting } from "#web/client/outbox-rules.ts";
import { keptOptions, replyOptions } from "#web/client/queries.ts";
import { ButtonLink, ListItemLink, QuietLink } from "#web/page/links.tsx";
import { useClient, useGroup, useMember, useStore } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BeerMat, MatMessage, RollingNumber, Tally } from "#web/ui/beer-mat.tsx";
import { Card } from "#web/ui/card.tsx";
import { CardErrorBoundary } from "#web/ui/card.tsx";
import { formatBeers, formatCount, formatDay, formatNumber } from "#web/ui/german.ts";
import { IconDisc } from "#web/ui/icons.tsx";
import { Page, Row, Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { Hint } from "#web/ui/text.tsx";
import styles from "./page.module.css";
import * as rules from "./rules.ts";

export function OwnPage(): ReactNode {
  const user = useMember();
  return user && <MemberView id={user.id} user={user} />;
}

export function MemberPage(): ReactNode {
  const user = useMember();
  const { id } = useParams({ from: "/members/$id" });
  return user && <MemberView key={id} id={id} user={user} />;
}

/** Every beer refetches it (`statsKeys`). */
function useMemberPage(id: number, isOwn: boolean): UseQueryResult<MemberData> {
  const { storage } = useClient();
  const { time_zone: timeZone } = useGroup();
  const isCurrent = (at: number): boolean => rules.isSameDay(at, Date.now(), timeZone);
  return useQuery({
    ...replyOptions(getMemberPage, { params: { id } }),
    ...(isOwn && keptOptions(storage, getMemberPage, "member-page", isCurrent)),
  });
}

function MemberView({ id, user }: { id: number; user: User }): ReactNode {
  const isOwn = id === user.id;
  const query = useMemberPage(id, isOwn);
  const { data, error } = query;
  const title = rules.titleOf(isOwn, data?.name);
  if (error instanceof ApiError && error.status === 404) return <HiddenMat />;
  return (
    // Browsers do not report inserted elements as a layout shift.
    <Page title={<span key={title}>{title}</span>} aria-busy={query.isPending}>
      <div className={styles["columns"]}>
        <MemberMat query={query} isOwn={isOwn} face={isOwn ? user : data && toListedMember(data)} />
        <Stack gap={5} className={styles["cards"]} data-loading={query.isPending || undefined}>
          <QueryState
            query={query}
            failedText="Der Deckel konnte gerade nicht geladen werden."
            skeleton={<CardsSkeleton />}
            isPage
          >
            {(page) => (
              <>
                <CardErrorBoundary>
                  <RoundBeersCard page={page} isOwn={isOwn} />
                </CardErrorBoundary>
                <CardErrorBoundary>
                  <PartiesCard page={page} isOwn={isOwn} />
                </CardErrorBoundary>
                <CardErrorBoundary>
                  <CalendarCard page={page} isOwn={isOwn} />
                </CardErrorBoundary>
              </>
            )}
          </QueryState>
        </Stack>
      </div>
    </Page>
  );
}

/** Viewers cannot tell unknown members from those who are not visible. */
function HiddenMat(): ReactNode {
  return (
    <MatMessage below={<ButtonLink to="/beercounter">Zum Bier-Counter</ButtonLink>}>
      <h1>Kein Deckel</h1>
      <p>Hier liegt gerade keiner.</p>
    </MatMessage>
  );
}

function CardsSkeleton(): ReactNode {
  return (
    <>
      <Card>
        <Skeleton lines={3} />
      </Card>
      <Card>
        <Skeleton lines={3} />
      </Card>
    </>
  );
}

interface MemberMatProps {
  readonly query: UseQueryResult<MemberData>;
  readonly isOwn: boolean;
  readonly face: Pick<User, "name" | "avatarId"> | undefined;
}

function MemberMat({ query: { data, isPending }, isOwn, face }: MemberMatProps): ReactNode {
  const { outbox } = useClient();
  const waiting = useStore(outbox.entries).filter((entry) => entry.endpoint === "drinkBeer" && isWaiting(entry)).length;
  return (
    <section className={styles["section"]} aria-label="Striche">
      <div className={styles["mat"]} data-own={isOwn || undefined} data-blank={isPending || undefined}>
        <BeerMat shape="round">
          <div className={styles["counts"]}>
            <Today count={data?.beers.today} isOwn={isOwn} />
            <div className={styles["periods"]}>
              <Period label="Woche" count={data?.beers.week} />
              <Period label="Jahr" count={data?.beers.year} />
            </div>
          </div>
        </BeerMat>
        <span className={styles["face"]}>{face && <Avatar id={face.avatarId} name={face.name} size={76} />}</span>
      </div>
      <p className={styles["total"]}>
        {data && `${formatBeers(data.beers.total)} insgesamt`}
        {isOwn && waiting > 0 && (
          <Hint as="span" className={styles["waiting"]}>
            <CloudOff size={18} />
            {`${formatBeers(waiting)} ${waiting === 1 ? "wartet" : "warten"} auf Empfang.`}
          </Hint>
        )}
      </p>
    </section>
  );
}

/** Remounts with the number, which avoids a layout shift. */
function Today({ count, isOwn }: { count: number | undefined; isOwn: boolean }): ReactNode {
  return (
    <div className={styles["today"]} data-many={(count !== undefined && count > 10) || undefined}>
      <p key={String(count === undefined)} className={styles["heading"]}>
        <span className={styles["label"]}>Heute</span>{" "}
        <span className={styles["number"]} data-counter="today">
          {count !== undefined && <RollingNumber text={formatNumber(count)} />}
        </span>
      </p>
      <p className={styles["strokes"]}>
        {count === 0 ? (
          <span className={styles["none"]}>{isOwn ? "Heute noch kein Strich." : "Heute kein Strich."}</span>
        ) : (
          count !== undefined && <Tally count={count} />
        )}
      </p>
    </div>
  );
}

function Period({ label, count }: { label: string; count: number | undefined }): ReactNode {
  return (
    <div className={styles["period"]}>
      <p key={String(count === undefined)} className={styles["heading"]}>
        <span className={styles["label"]}>{label}</span>{" "}
        <span className={styles["number"]} data-counter={label === "Woche" ? "week" : "year"}>
          {count !== undefined && <RollingNumber text={formatNumber(count)} />}
        </span>
      </p>
      <p className={styles["strokes"]}>{count !== undefined && count > 0 && <Tally count={count} />}</p>
    </div>
  );
}

interface CardProps {
  readonly page: MemberData;
  readonly isOwn: boolean;
}

function RoundBeersCard({ page: { round_beers }, isOwn }: CardProps): ReactNode {
  const heading = useId();
  return (
    <Card>
      <Stack as="section" gap={3} aria-labelledby={heading}>
        <h2 id={heading}>Erstes und rundes</h2>
        {round_beers.length === 0 ? (
          <Hint>{isOwn ? "Dein erstes Bier steht dann hier, mit Datum." : "Noch kein Bier."}</Hint>
        ) : (
          <Stack as="ol" gap={0}>
            {round_beers.map((beer) => (
              <li key={beer.count} className={styles["roundBeer"]}>
                <strong>{rules.describeRoundBeer(beer)}</strong>
                <Hint as="time" dateTime={beer.day}>
                  {formatDay(beer.day, "date")}
                </Hint>
              </li>
            ))}
          </Stack>
        )}
      </Stack>
    </Card>
  );
}

function PartiesCard({ page: { parties, party_count: count }, isOwn }: CardProps): ReactNode {
  const heading = useId();
  const { time_zone } = useGroup();
  return (
    <Card>
      <Stack as="section" aria-labelledby={heading}>
        <h2 id={heading}>Partys</h2>
        {count === 0 ? (
          <Hint>{isOwn ? "Noch bei keiner. Die nächste kommt bestimmt." : "Noch bei keiner."}</Hint>
        ) : (
          <List label="Partys">
            {parties.map((party) => (
              <li key={party.id}>
                <ListItemLink
                  to="/party/$id"
                  params={{ id: party.id }}
                  picture={<IconDisc icon={PartyPopper} tone={party.is_running ? "beer" : "plain"} />}
                  end={<ChevronRight size={22} />}
                >
                  <strong>{party.name}</strong>
                  <Hint as="span">{rules.describeParty(party, time_zone)}</Hint>
                </ListItemLink>
              </li>
            ))}
          </List>
        )}
        {count > parties.length && (
          <Hint>{`Die letzten ${parties.length} von ${formatCount(count, "Party", "Partys")}.`}</Hint>
        )}
      </Stack>
    </Card>
  );
}

/** Others see only opened doors whose picture names the member. */
function CalendarCard({ page: { calendar, today, name }, isOwn }: CardProps): ReactNode {
  const heading = useId();
  const texts = isOwn ? rules.describeOwnDoors(calendar, today) : [`Dahinter hing ein Bild von ${name}.`];
  if (calendar.doors.length === 0 && !calendar.opened) return null;
  return (
    <Card>
      <Stack as="section" gap={3} aria-labelledby={heading}>
        <h2 id={heading}>{`Türchen ${calendar.year}`}</h2>
        {calendar.doors.length > 0 && (
          <Row as="ul" aria-label={isOwn ? "Deine Türchen" : "Türchen"}>
            {calendar.doors.map((door) => (
              <li key={door.date} className={styles["door"]} data-filled={door.is_filled || undefined}>
                <span className={styles["doorNumber"]}>{rules.doorNumber(door)}</span>
                <span className="visually-hidden">{door.is_filled ? ", gefüllt" : ", noch leer"}</span>
              </li>
            ))}
          </Row>
        )}
        {texts.map((text) => (
          <Hint key={text}>{text}</Hint>
        ))}
        <MoreLink to="/christmas-calendar">Zum Adventskalender</MoreLink>
      </Stack>
    </Card>
  );
}

interface MoreLinkProps {
  readonly to: "/christmas-calendar";
  readonly children: ReactNode;
}

function MoreLink({ to, children }: MoreLinkProps): ReactNode {
  return (
    <QuietLink to={to} className={styles["moreLink"]}>
      <span className={styles["moreText"]}>{children}</span>
      <ChevronRight size={18} className={styles["moreArrow"]} />
    </QuietLink>
  );
}
