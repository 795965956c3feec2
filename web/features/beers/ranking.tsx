import { Link } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";

import { compareDrinkers, type Drinker } from "#contract/beercounter.ts";
import { toListedMember } from "#contract/members.ts";
import { useMember } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { BarChart, barHeight, type Bar } from "#web/ui/bar-chart.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { EmptyMessage } from "#web/ui/query-state.tsx";
import styles from "./ranking.module.css";

const chartHeight = 250;

export type RankedDrinker = Drinker & {
  /** Missing in a complete ranking. */
  readonly rank?: number | undefined;
  /** Has left the running party. */
  readonly is_home?: boolean;
  /** The inviting member, `null` if not named; only for a guest. */
  readonly guest_of?: string | null;
};

interface RankingProps {
  readonly drinkers: readonly RankedDrinker[];
  readonly emptyText: string;
}

export function Ranking({ drinkers, emptyText }: RankingProps): ReactNode {
  const memberId = useMember()?.id;
  if (drinkers.length === 0) return <EmptyMessage>Hier will gerade niemand stehen.</EmptyMessage>;
  const isEmpty = drinkers.every((drinker) => drinker.beercounter_entries_count === 0);
  return (
    <BarChart
      label="Biere pro Mitglied"
      bars={toBars(drinkers, memberId)}
      height={chartHeight}
      barWidth={50}
      layout="scroll"
      emptyText={isEmpty ? emptyText : undefined}
    />
  );
}

function toBars(drinkers: readonly RankedDrinker[], memberId: number | undefined): Bar[] {
  const counts = drinkers.map((drinker) => drinker.beercounter_entries_count);
  return drinkers.toSorted(compareDrinkers).map((drinker) => ({
    key: drinker.id,
    label: drinker.name,
    value: formatNumber(drinker.beercounter_entries_count),
    height: barHeight(drinker.beercounter_entries_count, counts),
    tone: drinker.id === memberId ? "mine" : "others",
    ...(drinker.rank !== undefined && { note: `${formatNumber(drinker.rank)}.` }),
    ...(drinker.id === memberId && {
      mark: drinker.rank === undefined ? "Du" : `Du, ${formatNumber(drinker.rank)}.`,
    }),
    ...(drinker.is_home === true && { note: "daheim" }),
    ...(drinker.guest_of !== undefined && { note: <GuestNote of={drinker.guest_of} /> }),
    picture:
      drinker.guest_of === undefined ? (
        <DrinkerPicture
          name={drinker.name}
          avatarId={toListedMember(drinker).avatarId}
          href={drinker.id === memberId ? "/member" : `/members/${drinker.id}`}
        />
      ) : (
        <Avatar id={null} name={drinker.name} size={40} />
      ),
  }));
}

/** Hides the name, which does not fit below a bar, from view but not from screen readers. */
function GuestNote({ of }: { of: string | null }): ReactNode {
  return (
    <>
      Gast
      {of !== null && <span className="visually-hidden">{` von ${of}`}</span>}
    </>
  );
}

const largeSize = 176;
const fadeMs = 150;

interface DrinkerPictureProps {
  readonly name: string;
  readonly avatarId: string | null;
  readonly href: string;
}

/** Shows a large picture on hover and focus, until Escape is pressed. */
function DrinkerPicture({ name, avatarId, href }: DrinkerPictureProps): ReactNode {
  const link = useRef<HTMLAnchorElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const popupId = useId();
  const [isOpen, setIsOpen] = useState(false);
  /** `true` until the closed popup has faded out. */
  const [isMounted, setIsMounted] = useState(false);
  const [position, setPosition] = useState<PopupPosition>();

  function open(): void {
    if (link.current) setPosition(positionBeside(link.current));
    setIsMounted(true);
    setIsOpen(true);
  }

  useEffect(() => {
    if (isOpen || !isMounted) return;
    const timer = setTimeout(() => setIsMounted(false), fadeMs);
    return () => clearTimeout(timer);
  }, [isOpen, isMounted]);

  useEffect(() => {
    if (!isOpen) return;
    const listeners = new AbortController();
    const { signal } = listeners;
    const close = (): void => setIsOpen(false);
    document.addEventListener("keydown", (event) => event.key === "Escape" && close(), { signal });
    document.addEventListener("pointerdown", close, { signal });
    // Browsers do not fire `pointerleave` when a bar moves in the ranking: its element is removed and added again.
    document.addEventListener(
      "pointerover",
      ({ pointerType, target }) => {
        const isInside = target instanceof Node && [link, popup].some(({ current }) => current?.contains(target));
        if (pointerType === "mouse" && !isInside && !link.current?.matches(":focus-visible")) close();
      },
      { signal },
    );
    // A key moved the focus: the browser scrolls the page, and the popup must follow its picture.
    const follow = (): void => (link.current?.matches(":focus-visible") ? open() : close());
    document.addEventListener("scroll", follow, { signal, capture: true, passive: true });
    return () => listeners.abort();
  }, [isOpen]);

  return (
    <>
      <Link
        ref={link}
        to={href}
        className={`touch-target ${styles["small"]}`}
        aria-label={`Deckel von ${name}`}
        aria-describedby={isMounted ? popupId : undefined}
        draggable={false}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && open()}
        onBlur={() => setIsOpen(false)}
        onPointerEnter={(event) => event.pointerType === "mouse" && open()}
        onPointerLeave={(event) => event.pointerType === "mouse" && setIsOpen(false)}
      >
        <Avatar id={avatarId} name={name} size={40} />
      </Link>
      {isMounted &&
        createPortal(
          <div
            ref={popup}
            id={popupId}
            role="tooltip"
            className={styles["large"]}
            style={position}
            data-open={isOpen}
            onPointerEnter={open}
            onPointerLeave={(event) => event.pointerType === "mouse" && setIsOpen(false)}
          >
            <Avatar id={avatarId} name={name} size={largeSize} />
            <span className={`one-line ${styles["name"]}`}>{name}</span>
          </div>,
          document.body,
        )}
    </>
  );
}

interface PopupPosition {
  readonly left: number;
  readonly top: number;
  readonly translate: string;
}

/** Height with name and frame, in px. */
const popupHeight = largeSize + 64;

/** Returns a place above the small picture, or below it without room. */
function positionBeside(small: HTMLElement): PopupPosition {
  const { left, width, top, bottom } = small.getBoundingClientRect();
  const margin = largeSize / 2 + 20;
  const middle = Math.min(Math.max(left + width / 2, margin), window.innerWidth - margin);
  const isAbove = top >= popupHeight;
  return { left: middle, top: isAbove ? top : bottom, translate: isAbove ? "-50% calc(-100% + 2px)" : "-50% -2px" };
}
