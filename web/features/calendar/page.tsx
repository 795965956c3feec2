import {
  Suspense,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentPropsWithRef,
  type ReactNode,
  type RefObject,
} from "react";
import * as z from "zod/mini";

import { getCalendarAudio } from "#contract/calendar-music.ts";
import { dayNumber, type OpenedImages } from "#contract/christmas-calendar.ts";
import { lazyPart } from "#web/page/newer-version.ts";
import { useClient, useGroup } from "#web/page/session.ts";
import { MatMessage } from "#web/ui/beer-mat.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Row } from "#web/ui/layout.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { useDoors, useOwnDoors } from "./api.ts";
import { Doors, DoorsSkeleton, LargePicture, type EnlargedPicture } from "./doors.tsx";
import type { OwnDoorsProps } from "./own-doors.tsx";
import styles from "./page.module.css";
import { doorId, findWaitingDoor, listYears, ownDoorsText, progressText } from "./rules.ts";
import snowflake from "./snowflake.svg";
import village from "./village.svg";

const OwnDoors = lazyPart(async () => (await import("./own-doors.tsx")).OwnDoors);

export function ChristmasCalendarPage(): ReactNode {
  const { group_short: group } = useGroup();
  const [year, setYear] = useState<number | null>(null);
  const [enlarged, setEnlarged] = useState<EnlargedPicture | null>(null);
  const [preferences, changePreferences] = usePreferences();
  const query = useDoors(year);
  const doors = query.data;
  // The village appears with the doors, which `QueryState` defers.
  const hasDoors = useDeferredValue(doors !== undefined);
  const prefersReducedMotion = useReducedMotion();
  const canLoadExtras = useCanLoadExtras();
  const audio = useRef<HTMLAudioElement>(null);
  const hasStarted = useBackgroundMusic(audio);

  const clef = {
    isEnabled: hasStarted || prefersReducedMotion,
    isPlaying: hasStarted && !preferences.isMuted,
    onToggle: () => {
      // The browser may have paused the music, e.g. without headphones.
      if (audio.current?.paused) audio.current.play().catch(() => {});
      changePreferences({ isMuted: hasStarted && !preferences.isMuted });
    },
  };
  return (
    <div className={styles["night"]}>
      <div className={`covering ${styles["village"]}`} data-waiting={!hasDoors && year === null} aria-hidden="true">
        <div className={styles["moon"]} />
        <img className={styles["land"]} src={village} alt="" />
      </div>
      {canLoadExtras && preferences.hasSnow && !prefersReducedMotion && <Snowfall />}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- instrumental music */}
      <audio
        ref={audio}
        src={getCalendarAudio.path}
        muted={preferences.isMuted}
        preload={canLoadExtras ? "auto" : "none"}
        loop
      />
      <header className={styles["head"]}>
        <Clef {...clef}>
          <path d={treble} />
        </Clef>
        <h1 className={styles["title"]}>Weihnachten im {group}</h1>
        <Clef {...clef}>
          <path d={bass} />
          <circle cx="28" cy="13.5" r="1.6" />
          <circle cx="28" cy="21.5" r="1.6" />
          <circle cx="8.6" cy="19.5" r="3" />
        </Clef>
      </header>
      <Row className={styles["below"]} data-wrap="never" data-justify="center">
        {doors && doors.images.length > 0 && <Progress doors={doors} />}
        {/* Only after loading, because the progress text would push this button aside. */}
        {!query.isPending && !prefersReducedMotion && (
          <Pill
            role="switch"
            className={styles["snow"]}
            aria-checked={preferences.hasSnow}
            onClick={() => changePreferences({ hasSnow: !preferences.hasSnow })}
          >
            Schnee
            <span className={styles["state"]} aria-hidden="true">
              {preferences.hasSnow ? " an" : " aus"}
            </span>
          </Pill>
        )}
      </Row>
      <QueryState
        query={query}
        failedText="Die Türchen konnten gerade nicht geladen werden."
        skeleton={<DoorsSkeleton />}
      >
        {(shown) => (
          <>
            <OwnDoorsDialog
              doors={year === null ? shown.own_doors : []}
              begun={shown.begun_doors}
              notices={shown.notices}
              today={shown.today}
            />
            {shown.images.length > 0 ? (
              <Doors key={shown.year} doors={shown} year={year} onEnlarge={setEnlarged} />
            ) : (
              <MatMessage>Hier gibts dann total coole Sachen...oder so.</MatMessage>
            )}
            <Years years={listYears(shown, year)} shown={shown.year} onChoose={setYear} />
          </>
        )}
      </QueryState>
      <LargePicture enlarged={enlarged} onClose={() => setEnlarged(null)} />
    </div>
  );
}

/** Delay of snow and music: the doors load first. */
const extrasDelayMs = 1000;

function useCanLoadExtras(): boolean {
  const [canLoadExtras, setCanLoadExtras] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCanLoadExtras(true), extrasDelayMs);
    return () => clearTimeout(timer);
  }, []);
  return canLoadExtras;
}

/** Returns `true` once the music plays; it starts automatically unless the member prefers reduced motion. */
function useBackgroundMusic(audio: RefObject<HTMLAudioElement | null>): boolean {
  const [hasStarted, setStarted] = useState(false);
  const isCalm = useReducedMotion();
  // A layout effect ends with the page, so that no music plays afterwards.
  useLayoutEffect(() => {
    const player = audio.current!;
    const listeners = new AbortController();
    const { signal } = listeners;
    let isInterrupted = false;
    const start = (): void => {
      player.play().catch((error: DOMException) => {
        // Some browsers play only after a click.
        if (error.name === "NotAllowedError") document.addEventListener("click", start, { once: true, signal });
      });
    };
    // Phones would play on with the screen off.
    const followView = (): void => {
      if (!document.hidden) return void (isInterrupted && player.play().catch(() => {}));
      isInterrupted = !player.paused;
      player.pause();
    };
    player.addEventListener("playing", () => setStarted(true), { signal });
    document.addEventListener("visibilitychange", followView, { signal });
    if (!isCalm) start();
    return () => {
      listeners.abort();
      player.pause();
      setStarted(false);
    };
  }, [audio, isCalm]);
  return hasStarted;
}

const calendarPreferences = z.object({ isMuted: z.boolean(), hasSnow: z.boolean() });
type Preferences = z.output<typeof calendarPreferences>;

function usePreferences(): [Preferences, (changes: Partial<Preferences>) => void] {
  const name = "christmas-calendar";
  const { storage } = useClient();
  const [current, setCurrent] = useState(
    () => storage.get(name, calendarPreferences) ?? { isMuted: false, hasSnow: true },
  );
  return [
    current,
    (changes) => {
      const next = { ...current, ...changes };
      setCurrent(next);
      storage.set(name, next);
    },
  ];
}

const treble =
  "M12.4 40.6c-.6-2 .5-3.6 2.2-3.6 1.8 0 2.7 2 1.7 3.7-.8 1.4-2.4 2-3.9 1.2M15.6 44.2c3.4.5 5.6-1.9 5.1-5.6L16.4 10.4C15.8 6.6 17 3.6 19.2 2.4c2.2 2.6 2.4 6.6.5 9.8C17.2 16.3 10 19.4 8.4 25.6 7 31.2 11 35.4 16.2 35.4c4.6 0 7.8-2.8 7.8-6.6 0-3.5-2.6-6-5.8-6-3 0-5.2 2.1-5.2 4.8 0 2.2 1.2 3.7 3 4.3";
const bass = "M8.6 22.4c-2.4-.4-3.6-2.6-3.2-5.2C6 12.6 9.8 9.8 14.2 10c5.4.2 8.6 4.4 8 10.2-.8 7.4-7.4 13.4-16.4 17";

interface ClefProps {
  /** `true` also while the music waits for a click to start. */
  isEnabled: boolean;
  isPlaying: boolean;
  onToggle: () => void;
  children: ReactNode;
}

function Clef({ isEnabled, isPlaying, onToggle, children }: ClefProps): ReactNode {
  return (
    <button
      type="button"
      className={styles["clef"]}
      aria-label="Musik"
      aria-pressed={isPlaying}
      title={isPlaying ? "Musik ausschalten" : "Musik einschalten"}
      disabled={!isEnabled}
      onClick={onToggle}
    >
      <svg viewBox="0 0 32 48" aria-hidden="true">
        {children}
        <path className={styles["stroke"]} d="M4 44 28 4" />
      </svg>
    </button>
  );
}

/** Different steps, so that the flakes do not move in sync. */
const flakes = Array.from({ length: 11 }, (_, index) => ({
  left: `${2 + ((index * 37) % 95)}%`,
  width: `${0.9 + ((index * 5) % 7) * 0.15}rem`,
  animationDelay: `${-(index * 3.7) % 10}s, ${-(index * 1.3) % 3}s`,
}));

function Snowfall(): ReactNode {
  return (
    <div className={`covering ${styles["sky"]}`} aria-hidden="true">
      <div className={styles["view"]}>
        {flakes.map((style) => (
          <img key={style.left} data-flake="" className={styles["flake"]} style={style} src={snowflake} alt="" />
        ))}
      </div>
    </div>
  );
}

/** Scrolls to the next door to open on a click. */
function Progress({ doors: { images, today } }: { doors: OpenedImages }): ReactNode {
  const text = progressText(images, today);
  const door = findWaitingDoor(images, today);
  if (door === undefined) return <p className={styles["progress"]}>{text}</p>;
  const lead = (): void => {
    const element = document.getElementById(doorId(door.date));
    element?.scrollIntoView({ block: "center", behavior: "smooth" });
    element?.querySelector("button")?.focus({ preventScroll: true });
  };
  return (
    <Pill className={styles["progress"]} onClick={lead}>
      {text}
    </Pill>
  );
}

function Pill({ className = "", ...props }: ComponentPropsWithRef<"button">): ReactNode {
  return <button type="button" {...props} className={`${styles["pill"]} ${className}`} />;
}

function OwnDoorsDialog(props: OwnDoorsProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<string | null>(null);
  const close = (): void => {
    setOpen(false);
    setEdited(null);
  };
  const { doors, begun, notices } = props;
  const asking = useOwnDoors().data?.offers[0]?.by.name;
  const count = doors.length + begun.length;
  const title = count === 1 ? "Dein Türchen" : "Deine Türchen";
  // An open dialog stays open after its last notice.
  if (count + notices.length === 0 && !isOpen) return null;
  return (
    <>
      {count + notices.length > 0 && (
        <Pill aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {asking === undefined
            ? ownDoorsText(doors.length > 0 ? doors : begun, notices.length > 0)
            : `${asking} möchte mit dir tauschen.`}
        </Pill>
      )}
      <Dialog title={edited === null ? title : `Türchen ${dayNumber(edited)}`} isOpen={isOpen} onClose={close}>
        {isOpen && (
          <Suspense fallback={<Skeleton lines={4} />}>
            <OwnDoors {...props} edited={edited} onEdit={setEdited} onClose={close} />
          </Suspense>
        )}
      </Dialog>
    </>
  );
}

interface YearsProps {
  /** With the current year even without doors. */
  years: readonly number[];
  shown: number;
  onChoose: (year: number) => void;
}

function Years({ years, shown, onChoose }: YearsProps): ReactNode {
  if (years.length < 2) return null;
  return (
    <Row as="nav" gap={2} aria-label="Archiv" data-justify="center">
      {years.map((year) => (
        <Pill
          key={year}
          className={styles["year"]}
          aria-current={year === shown || undefined}
          onClick={() => onChoose(year)}
        >
          {year}
        </Pill>
      ))}
    </Row>
  );
}
