import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useLocation } from "wouter";

import { getCalendarAudio, type CalendarImage } from "#contract/christmas-calendar.ts";
import { beforeLeaving } from "#web/platform/location.ts";
import { preload, useFindRoute } from "#web/platform/pages.ts";
import { useGroup } from "#web/platform/session.ts";
import { Button } from "#web/ui/button.tsx";
import { useReducedMotion } from "#web/ui/reduced-motion.ts";

import { useBackgroundMusic, type Music } from "./components/background-music.ts";
import { Clef } from "./components/clef.tsx";
import { Doors, DoorsLoading } from "./components/doors.tsx";
import { LargePicture } from "./components/large-picture.tsx";
import { NothingYet } from "./components/nothing-yet.tsx";
import { Snowfall } from "./components/snowfall.tsx";
import { Village } from "./components/village.tsx";
import { useWishes } from "./components/wishes.ts";
import { Years } from "./components/years.tsx";
import styles from "./page.module.css";
import { useDoors } from "./queries.ts";
import { progressOf, yearsToChoose } from "./rules.ts";

export function ChristmasCalendarPage(): ReactNode {
  const { group_short: group } = useGroup();
  const [year, setYear] = useState<number | null>(null);
  const [enlarged, setEnlarged] = useState<CalendarImage | null>(null);
  const [wishes, wish] = useWishes();
  const { data: doors, isError, refetch } = useDoors(year);
  const isCalm = useReducedMotion();
  const audio = useRef<HTMLAudioElement>(null);
  const { hasStarted, music } = useBackgroundMusic(audio);
  useFarewell(music);

  const clef = {
    isEnabled: hasStarted,
    isPlaying: hasStarted && !wishes.isMuted,
    onToggle: () => wish({ isMuted: !wishes.isMuted }),
  };
  return (
    <div className={styles["night"]}>
      <Village />
      {wishes.hasSnow && !isCalm && <Snowfall />}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- nobody sings */}
      <audio ref={audio} src={getCalendarAudio.path} muted={wishes.isMuted} preload="auto" loop />
      <header className={styles["head"]}>
        <Clef kind="treble" {...clef} />
        <h1 className={styles["title"]}>Weihnachten im {group}</h1>
        <Clef kind="bass" {...clef} />
      </header>
      <div className={styles["below"]}>
        {doors && doors.images.length > 0 && (
          <p className={styles["progress"]}>{progressOf(doors.images, doors.today)}</p>
        )}
        {!isCalm && (
          <button
            type="button"
            className={styles["snow"]}
            aria-pressed={wishes.hasSnow}
            onClick={() => wish({ hasSnow: !wishes.hasSnow })}
          >
            Schnee
          </button>
        )}
      </div>
      {doors && doors.images.length > 0 && <Doors key={doors.year} doors={doors} year={year} onEnlarge={setEnlarged} />}
      {doors?.images.length === 0 && <NothingYet />}
      {!doors && !isError && <DoorsLoading />}
      {!doors && isError && (
        <div className={styles["failed"]} role="alert">
          <p>Die Türchen konnten gerade nicht geladen werden.</p>
          <Button onClick={() => void refetch()}>Nochmal versuchen</Button>
        </div>
      )}
      {doors && <Years years={yearsToChoose(doors, year)} shown={doors.year} onChoose={setYear} />}
      <LargePicture image={enlarged} onClose={() => setEnlarged(null)} />
    </div>
  );
}

/** Leaving waits for the music, while the next page is already loading. */
function useFarewell(music: RefObject<Music | null>): void {
  const [path] = useLocation();
  const findRoute = useFindRoute();
  useLayoutEffect(() =>
    beforeLeaving(async () => {
      if (location.pathname === path) return music.current?.turnBack();
      const next = findRoute(location.pathname);
      if (next !== undefined) void preload(next.page);
      await music.current?.fadeOut();
    }),
  );
}
