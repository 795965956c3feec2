import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Gift, PartyPopper } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { Totals } from "#contract/beercounter.ts";
import { toListedMember } from "#contract/members.ts";
import type { RunningParty } from "#contract/party.ts";
import type { PresenceList } from "#web/client/realtime.ts";
import { useCounterState, useJoinParty, useLatestBeer, useOwnDoors } from "#web/features/beers/api.ts";
import { usePendingToast, useOtherPresentMembers, useToastBack, type ToastTarget } from "#web/features/beers/live.ts";
import { MatCounts, MatCountsSkeleton } from "#web/features/beers/mat-counts.tsx";
import {
  addOwnBeers,
  countUnseenBeers,
  describePartyPeople,
  describeSum,
  partyTopic,
} from "#web/features/beers/party-rules.ts";
import { describeLatest, describePages, describePresent, toastTopic } from "#web/features/beers/rules.ts";
import { TapMat } from "#web/features/beers/tap-mat.tsx";
import { useParty } from "#web/features/parties/api.ts";
import { QuietLink } from "#web/page/links.tsx";
import { useMessage } from "#web/page/messages.tsx";
import { useClient, useGroup, useMember, useStore } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { QuietAction } from "#web/ui/button.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { focusHeading } from "#web/ui/heading-focus.ts";
import { Spinner } from "#web/ui/icons.tsx";
import { Row } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { useNow } from "#web/ui/use-now.ts";
import styles from "./counter-card.module.css";

interface CounterCardProps {
  readonly counters: UseQueryResult<Totals>;
  /** `false` if the page already reports it. */
  readonly isFailureShown: boolean;
  readonly parties: readonly RunningParty[];
  /** `false` while only an earlier visit knows the parties, which may be gone. */
  readonly areConfirmed: boolean;
  readonly onOpenParty: (id: number) => void;
}

/** Shows the counts of the member's running party, or else of all time. */
export function CounterCard({
  counters,
  isFailureShown,
  parties,
  areConfirmed,
  onOpenParty,
}: CounterCardProps): ReactNode {
  const { group_short } = useGroup();
  const user = useMember();
  const own = parties.find(({ is_member }) => is_member);
  const others = parties.filter((party) => party !== own);
  return (
    <TapMat
      label="Zähler"
      above={
        parties.length > 0 ? (
          <div className={styles["strip"]}>
            {own && <PartyPeople party={own} isConfirmed={areConfirmed} />}
            {others.length > 0 && <OtherParties parties={others} onOpen={onOpenParty} />}
          </div>
        ) : (
          <PresentMembers />
        )
      }
      beside={own ? <ToastBack /> : others.length > 0 && <BriefPresence />}
      below={<Doors />}
    >
      <QueryState
        query={isFailureShown ? counters : { ...counters, errorUpdateCount: 0 }}
        failedText="Der Zähler konnte gerade nicht geladen werden."
        skeleton={<MatCountsSkeleton label={group_short} />}
      >
        {(all) =>
          own ? (
            <PartyCounts party={own} group={all.group} />
          ) : (
            <MatCounts label={group_short} total={all.group} name={user?.name} own={all.own}>
              Noch kein Strich auf deinem Deckel.
            </MatCounts>
          )
        }
      </QueryState>
    </TapMat>
  );
}

function PartyCounts({ party, group }: { party: RunningParty; group: number }): ReactNode {
  const { group_short } = useGroup();
  const user = useMember();
  const unseen = countUnseenBeers(party, useCounterState());
  const { total, guest_total, own_total } = addOwnBeers(party, unseen);
  return (
    <MatCounts
      label={
        <span className={styles["all"]}>
          <span className="one-line">{group_short}</span> <span data-counter="group">{formatNumber(group)}</span>
        </span>
      }
      total={total}
      sum={describeSum({ total, guest_total })}
      name={user?.name}
      own={own_total}
      scope="bei der Party"
      prefix="party-"
    >
      Noch kein Strich auf deinem Deckel.
    </MatCounts>
  );
}

const maxPictures = 5;

interface PartyPeopleProps {
  readonly party: RunningParty;
  readonly isConfirmed: boolean;
}

/** Marks and begins with those who have the app open; the guests follow. */
function PartyPeople({ party: { id: partyId, users, others }, isConfirmed }: PartyPeopleProps): ReactNode {
  const { guests = [] } = useParty(partyId, isConfirmed).data ?? {};
  const memberId = useMember()?.id;
  const present = new Set(useOtherPresentMembers().members.map(({ id }) => id));
  const members = users.map((user) => ({
    ...toListedMember(user),
    key: `member ${user.id}`,
    isHere: user.id === memberId || present.has(user.id),
  }));
  const sorted = [
    ...members.filter(({ isHere }) => isHere),
    ...guests.map(({ id, name }) => ({ name, avatarId: null, key: `guest ${id}`, isHere: false })),
    ...members.filter(({ isHere }) => !isHere),
  ];
  const pictures = sorted.slice(0, sorted.length > maxPictures ? maxPictures - 1 : maxPictures);
  const more = sorted.length + others - pictures.length;
  return (
    <Row as="p" gap={2} data-wrap="never" className={styles["people"]}>
      <span className="visually-hidden">{describePartyPeople([...users, ...guests], others)}</span>
      <span className={styles["rest"]} aria-hidden="true">
        Dabei
      </span>
      <Row as="span" gap={1} data-wrap="never" aria-hidden="true">
        {pictures.map(({ key, name, avatarId, isHere }) => (
          <span key={key} className={styles["person"]} data-is-here={isHere || undefined}>
            <Avatar id={avatarId} name={name} size={32} />
          </span>
        ))}
        {more > 0 && <span className={styles["more"]}>{`${pictures.length > 0 ? "+" : ""}${formatNumber(more)}`}</span>}
      </Row>
    </Row>
  );
}

interface OtherPartiesProps {
  readonly parties: readonly RunningParty[];
  readonly onOpen: (id: number) => void;
}

function OtherParties({ parties, onOpen }: OtherPartiesProps): ReactNode {
  return (
    <ul className={styles["parties"]} aria-label="Andere Partys, die gerade laufen">
      {parties.map((party) => (
        <li key={party.id} className={styles["party"]}>
          {party.is_member ? (
            <button
              type="button"
              className={`touch-line ${styles["link"]}`}
              aria-haspopup="dialog"
              onClick={() => onOpen(party.id)}
            >
              <PartyPopper size={20} className={styles["icon"]} />
              <strong className="one-line">{party.name}</strong>
              <span className={styles["rest"]}>dabei</span>
            </button>
          ) : (
            <OtherParty party={party} />
          )}
        </li>
      ))}
    </ul>
  );
}

function OtherParty({ party }: { party: RunningParty }): ReactNode {
  const { id, name, is_home } = party;
  const { mutate: join, isPending } = useJoinParty();
  const isOffered = useMessage()?.topic === partyTopic(id);
  return (
    <>
      <Link to="/party/$id" params={{ id }} className={`touch-line ${styles["link"]}`}>
        <PartyPopper size={20} className={styles["icon"]} />
        <strong className="one-line">{name}</strong>
        <span className={styles["rest"]}>läuft</span>
      </Link>
      <button
        type="button"
        className={styles["join"]}
        disabled={isPending}
        aria-busy={isPending}
        data-offered={isOffered || undefined}
        onClick={({ currentTarget }) => {
          focusHeading(currentTarget);
          join(party);
        }}
      >
        <span className={styles["word"]}>{is_home ? "Wieder dabei" : "Dabei sein"}</span>
        {isPending && <Spinner size={20} />}
      </button>
    </>
  );
}

/** Shows a toast to send back and the others, or else the last drinker. */
function PresentMembers(): ReactNode {
  const others = useOtherPresentMembers();
  const toastable = useToastable();
  return (
    <>
      {toastable && <ToastButton member={toastable} />}
      {isKnown(others) && <OthersHere others={others} isBrief={toastable !== null} />}
      {!isKnown(others) && !toastable && <Latest />}
    </>
  );
}

function BriefPresence(): ReactNode {
  const others = useOtherPresentMembers();
  const isToastable = useToastable() !== null;
  if (isToastable) return <ToastBack />;
  return others.count > 0 && <OthersHere others={others} isBrief />;
}

function ToastBack(): ReactNode {
  const toastable = useToastable();
  return toastable && <ToastButton member={toastable} isBrief />;
}

function isKnown({ count, pages = null }: PresenceList): boolean {
  return count > 0 || pages !== null;
}

/** Returns `null` also while a message offers the toast. */
function useToastable(): ToastTarget | null {
  const missed = usePendingToast();
  const isAnnounced = useMessage()?.topic === (missed && toastTopic(missed.userId));
  return isAnnounced ? null : missed;
}

function ToastButton({ member, isBrief = false }: { member: ToastTarget; isBrief?: boolean }): ReactNode {
  const { mutate: toast, isPending } = useToastBack();
  const { userName, avatarId } = member;
  return (
    <button
      type="button"
      className={`touch-line ${styles["toast"]}`}
      disabled={isPending}
      onClick={() => toast(member)}
    >
      <Avatar id={avatarId} name={userName} size={28} />
      <span className={isBrief ? "visually-hidden" : `one-line ${styles["name"]}`}>{userName}</span>
      <strong>
        Prost<span className={isBrief ? "visually-hidden" : undefined}> zurück</span>
      </strong>
    </button>
  );
}

/** Shows the open pages, too, if not all members may be listed. */
function OthersHere({ others, isBrief }: { others: PresenceList; isBrief: boolean }): ReactNode {
  const { count, members, pages } = others;
  const isPartial = pages !== undefined;
  const pictures = members.slice(0, isBrief || isPartial ? 2 : 5);
  const more = count - pictures.length;
  const names = members.map(({ name }) => name);
  return (
    <Row as="p" gap={2} data-wrap="never" className={styles["present"]}>
      <span className="visually-hidden">{describePresent(names, others)}</span>
      <span className={styles["here"]} aria-hidden="true">
        {!isBrief && "Gerade hier"}
      </span>
      <Row as="span" gap={0} data-wrap="never" className={styles["pictures"]} aria-hidden="true">
        {pictures.map(({ id, name, avatarId }) => (
          <Avatar key={id} id={avatarId} name={name} size={28} />
        ))}
        {!isPartial && more > 0 && <span className={styles["more"]}>{`+${formatNumber(more)}`}</span>}
        {!isBrief && pages && <span className={styles["more"]}>{describePages(pages)}</span>}
      </Row>
    </Row>
  );
}

function Latest(): ReactNode {
  const { data: beer, isPending } = useLatestBeer();
  const user = useMember();
  const isOffline = useStore(useClient().isOffline);
  const now = useNow(60_000);
  if (isPending && !isOffline) return null;
  return (
    <Row as="p" data-wrap="never" className={styles["present"]}>
      {beer === undefined ? "Das letzte Bier ist gerade unbekannt." : describeLatest(beer, user?.id, now)}
    </Row>
  );
}

/** Links to the calendar while a door waits for the member. */
function Doors(): ReactNode {
  const { data } = useOwnDoors();
  // Only in these months, doors wait for a picture or their day.
  const [isReserved] = useState(data === undefined && new Date().getMonth() >= 10);
  if (data) return <DoorsOfDay key={data.today} line={data.line} isReserved={isReserved} />;
  return isReserved && <ReservedLine />;
}

function ReservedLine(): ReactNode {
  return (
    <QuietAction as="div" className={styles["doors"]} aria-hidden="true">
      {"\u00A0"}
    </QuietAction>
  );
}

/** A line that comes or goes later would move the content, so only a new day does that. */
function DoorsOfDay({ line, isReserved }: { line: string | null; isReserved: boolean }): ReactNode {
  const [hadLine] = useState(line !== null);
  if (line === null && !hadLine) return isReserved && <ReservedLine />;
  return (hadLine || isReserved) && <DoorsLink isDone={line === null}>{line ?? "\u00A0"}</DoorsLink>;
}

function DoorsLink({ isDone = false, children }: { isDone?: boolean; children: ReactNode }): ReactNode {
  return (
    <QuietLink className={styles["doors"]} to="/christmas-calendar" data-done={isDone || undefined}>
      <Gift size={18} />
      <span>{children}</span>
      <ChevronRight size={18} />
    </QuietLink>
  );
}
