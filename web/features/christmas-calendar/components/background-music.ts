import { useLayoutEffect, useRef, useState, type RefObject } from "react";

import { useReducedMotion } from "#web/ui/reduced-motion.ts";
import { fadeStepMs, raiseVolume, lowerVolume } from "../rules.ts";

/** The properties and methods of `HTMLAudioElement` that fading needs. */
export interface AudioPlayer {
  volume: number;
  readonly paused: boolean;
  play(): Promise<void>;
  pause(): void;
}

export interface FadingMusic {
  /**
   * Plays the music and fades it in. If the browser refuses to play before a click, the next click
   * starts the music.
   */
  start(): void;
  /** Fades the music out; resolves after the player has paused. */
  fadeOut(): Promise<void>;
  /** Pauses the music without fading out. */
  pause(): void;
  /** Fades the music in again after a pause or a cancelled fade-out. */
  resume(): void;
  /** Stops the music and any fade, and no longer waits for a click. */
  stop(): void;
}

/** Creates music that can fade in and out. Calls `onStart` whenever the music starts to fade in. */
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

  /**
   * Calls `step` every 50 ms until it returns `false`. After a delay by a busy browser, catches up
   * on the missed steps.
   */
  function everyStep(step: () => boolean): void {
    clearInterval(fade);
    const began = performance.now();
    let taken = 0;
    fade = setInterval(() => {
      for (const due = Math.floor((performance.now() - began) / fadeStepMs); taken < due; taken++)
        if (!step()) return clearInterval(fade);
    }, fadeStepMs);
  }

  function cancelWait(): void {
    document.removeEventListener("click", start);
  }

  return {
    start,
    async fadeOut() {
      cancelWait();
      if (player.paused) return;
      isInterrupted = true;
      everyStep(() => {
        const before = player.volume;
        player.volume = lowerVolume(before);
        // iPhones ignore the volume set by a page: there, the music pauses without a fade-out.
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
      cancelWait();
      clearInterval(fade);
      player.pause();
    },
  };
}

/**
 * Plays music while the page is open. Starts automatically unless the visitor prefers reduced
 * motion.
 */
export function useBackgroundMusic(audio: RefObject<HTMLAudioElement | null>): {
  /** `true` once the music has started, so that it can be muted. */
  readonly hasStarted: boolean;
  readonly music: RefObject<FadingMusic | null>;
} {
  const music = useRef<FadingMusic>(null);
  const [hasStarted, setStarted] = useState(false);
  const isCalm = useReducedMotion();

  // A layout effect is cleaned up in the same commit that removes the page, so that no music plays
  // afterwards.
  useLayoutEffect(() => {
    if (audio.current === null) return;
    const playing = createMusic(audio.current, () => setStarted(true));
    music.current = playing;
    if (!isCalm) playing.start();
    // Pauses while the page is hidden, because phones continue to play with the screen off.
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
