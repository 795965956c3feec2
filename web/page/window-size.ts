import { createStore } from "#web/client/store.ts";
import { useStore } from "./session.ts";

/** The viewport in CSS pixels. */
export interface WindowSize {
  readonly availableWidth: number;
  readonly availableHeight: number;
}

const size = createStore<WindowSize>({ availableWidth: 0, availableHeight: 0 });

export function useWindowSize(): WindowSize {
  return useStore(size);
}

/** Runs once, before the first render. */
export function trackWindowSize(): void {
  size.set(measure());
  addEventListener("resize", () => size.set(measure()));
}

function measure(): WindowSize {
  return { availableWidth: innerWidth, availableHeight: innerHeight };
}
