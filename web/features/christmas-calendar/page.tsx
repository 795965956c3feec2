import { useDeferredValue, useEffect, useRef, useState, type ReactNode, type RefObject } from "react";

import { getCalendarAudio } from "#contract/calendar-music.ts";
import type { OpenedImages } from "#contract/christmas-calendar.ts";
import { useBeforeLeaving } from "#web/router/before-leaving.ts";
import { useGroup } from "#web/session/session.ts";
import { Row } from "#web/ui/layout.tsx";
import { MatMessage } from "#web/ui/mat-message.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { useBackgroundMusic, type FadingMusic } from "./components/background-music.ts";
import { Clef } from "./components/clef.tsx";
import { Doors, DoorsSkeleton } from "./components/doors.tsx";
import { LargePicture, type EnlargedPicture } from "./components/large-picture.tsx";
import { OwnDoorsDialog } from "./components/own-doors-dialog.tsx";
import { Pill } from "./components/pill.tsx";
import { useCalendarPreferences } from "./components/preferences.ts";
import { Snowfall } from "./components/snowfall.tsx";
import { WinterVillage } from "./components/village.tsx";
import { Years } from "./components/years.tsx";
import { useOpenDoorsLive } from "./live.ts";
import styles from "./page.module.css";
import { useDoors } from "./queries.ts";
import { doorId, findWaitingDoor, listYears, progressText } from "./rules.ts";

export function ChristmasCalendarPage(): ReactNode {
  const { group_short: group } = useGroup();
  const [year, setYear] = useState<number | null>(null);
  const [enlarged, setEnlarged] = useState<EnlargedPicture | null>(null);
  const [preferences, changePreferences] = useCalendarPreferences();
  const query = useDoors(year);
  const doors = query.data;
  // Deferred, because `QueryState` also defers its content: the landscape thus changes together
  // with the doors.
  const isWaiting = useDeferredValue(doors === undefined);
  const prefersReducedMotion = useReducedMotion();
  const canLoadExtras = useCanLoadExtras();
  const audio = useRef<HTMLAudioElement>(null);
  const { hasStarted, music } = useBackgroundMusic(audio);
  useMusicFadeOut(music);
  useOpenDoorsLive();

  const clef = {
    isEnabled: hasStarted || prefersReducedMotion,
    isPlaying: hasStarted && !preferences.isMuted,
    onToggle: () => {
      // Starts the music again if the browser has paused it, e.g. because headphones were
      // unplugged.
      if (audio.current?.paused) music.current?.start();
      changePreferences({ isMuted: hasStarted && !preferences.isMuted });
    },
  };
  return (
    <div className={styles["night"]}>
      <WinterVillage isWaiting={isWaiting && year === null} />
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
        <Clef kind="treble" {...clef} />
        <h1 className={styles["title"]}>Weihnachten im {group}</h1>
        <Clef kind="bass" {...clef} />
      </header>
      <Row className={styles["below"]} data-wrap="never" data-justify="center">
        {doors && doors.images.length > 0 && <Progress doors={doors} />}
        {/* Shown only after loading, because the progress text would push the button aside. */}
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

/** Milliseconds by which snow and music are delayed, so that the doors load first. */
const extrasDelayMs = 1000;

function useCanLoadExtras(): boolean {
  const [canLoadExtras, setCanLoadExtras] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setCanLoadExtras(true), extrasDelayMs);
    return () => clearTimeout(timer);
  }, []);
  return canLoadExtras;
}

/** Describes how many doors can be opened. A click scrolls to the next door to open. */
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

/** Fades the music out when the member navigates, while the next page is already loading. */
function useMusicFadeOut(music: RefObject<FadingMusic | null>): void {
  useBeforeLeaving({
    onLeave: async () => music.current?.fadeOut(),
    onStay: () => music.current?.resume(),
  });
}
