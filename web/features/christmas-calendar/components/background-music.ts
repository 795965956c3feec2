import { useLayoutEffect, useRef, useState, type RefObject } from "react";

import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { fadeStepMs, raiseVolume, lowerVolume } from "../rules.ts";

/** The part of an audio element that fading needs. */
export interface AudioPlayer {
  volume: number;
  readonly paused: boolean;
  play(): Promise<void>;
  pause(): void;
}

export interface FadingMusic {
  /** Plays and fades in; where the browser wants a click first, the next one starts it. */
  start(): void;
  /** Fades out; resolves once the music has paused. */
  fadeOut(): Promise<void>;
  /** Pauses at once. */
  pause(): void;
  /** Fades in again after a pause, or when leaving the page was cancelled. */
  resume(): void;
  /** Ends everything at once. */
  stop(): void;
}

/** Music that fades in and out. `onStart` is called when it plays for the first time. */
export function createMusic(player: AudioPlayer, onStart: () => void): FadingMusic {
  let fade: ReturnType<typeof setInterval> | undefined;
  let isInterrupted = false;

  function start(): void {
    player.volume = 0;
    player.play().then(fadeIn, (error: DOMException) => {
      if (error.name === "NotAllowedError") document.addEventListener("click", start, { once: true });
    });
  }

  function fadeIn(): void {
    onStart();
    everyStep(() => {
      player.volume = raiseVolume(player.volume);
      return player.volume < 1;
    });
  }

  /** Takes a step every 50 ms until there is no next one; catches up where the browser was busy. */
  function everyStep(step: () => boolean): void {
    clearInterval(fade);
    const began = performance.now();
    let taken = 0;
    fade = setInterval(() => {
      for (const due = Math.floor((performance.now() - began) / fadeStepMs); taken < due; taken++)
        if (!step()) return clearInterval(fade);
    }, fadeStepMs);
  }

  function giveUpWaiting(): void {
    document.removeEventListener("click", start);
  }

  return {
    start,
    async fadeOut() {
      giveUpWaiting();
      if (player.paused) return;
      isInterrupted = true;
      everyStep(() => {
        const before = player.volume;
        player.volume = lowerVolume(before);
        // On iPhones only their buttons change it.
        if (player.volume === 0 || player.volume === before) player.pause();
        return !player.paused;
      });
      while (!player.paused) await new Promise((resolve) => setTimeout(resolve, fadeStepMs));
    },
    pause() {
      if (player.paused) return;
      isInterrupted = true;
      clearInterval(fade);
      player.pause();
    },
    resume() {
      if (!isInterrupted) return;
      isInterrupted = false;
      player.play().then(fadeIn, () => {});
    },
    stop() {
      giveUpWaiting();
      clearInterval(fade);
      player.pause();
    },
  };
}

/** Music for as long as the page is open; it starts by itself unless reduced motion is preferred. */
export function useBackgroundMusic(audio: RefObject<HTMLAudioElement | null>): {
  /** It has played, so it can be muted. */
  readonly hasStarted: boolean;
  readonly music: RefObject<FadingMusic | null>;
} {
  const music = useRef<FadingMusic>(null);
  const [hasStarted, setStarted] = useState(false);
  const isCalm = useReducedMotion();

  // A layout effect ends together with the page, so that nothing plays afterwards.
  useLayoutEffect(() => {
    if (audio.current === null) return;
    const playing = createMusic(audio.current, () => setStarted(true));
    music.current = playing;
    if (!isCalm) playing.start();
    // A phone would play on in the pocket.
    const followView = (): void => (document.hidden ? playing.pause() : playing.resume());
    document.addEventListener("visibilitychange", followView);
    return () => {
      document.removeEventListener("visibilitychange", followView);
      setStarted(false);
      playing.stop();
    };
  }, [audio, isCalm]);

  return { hasStarted, music };
}
