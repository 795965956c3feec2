import { createStore, useStore } from "./store.ts";

/** Sizes in CSS pixels: what the page has, and the whole screen. */
export interface WindowSize {
  readonly availableWidth: number;
  readonly availableHeight: number;
  readonly screenWidth: number;
  readonly screenHeight: number;
}

const size = createStore<WindowSize>(measure());

/** The window's and the screen's size, updated on every resize. */
export function useWindowSize(): WindowSize {
  return useStore(size);
}

/** Follows the window from now on. Called once, before the first screen. */
export function trackWindowSize(): void {
  size.set(measure());
  addEventListener("resize", () => size.set(measure()));
}

function measure(): WindowSize {
  return {
    availableWidth: innerWidth,
    availableHeight: innerHeight,
    screenWidth: screen.width,
    screenHeight: screen.height,
  };
}
