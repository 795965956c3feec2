import { createStore } from "#web/client/store.ts";
import { useStore } from "./session.ts";

/** Sizes in CSS pixels of the viewport (`available…`) and of the whole screen. */
export interface WindowSize {
  readonly availableWidth: number;
  readonly availableHeight: number;
  readonly screenWidth: number;
  readonly screenHeight: number;
}

const size = createStore<WindowSize>({ availableWidth: 0, availableHeight: 0, screenWidth: 0, screenHeight: 0 });

/** Returns the sizes of the viewport and the screen, updated on every resize. */
export function useWindowSize(): WindowSize {
  return useStore(size);
}

/** Measures the window now and on every resize. Called once, before the first render. */
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
