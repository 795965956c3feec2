import { startTransition, useEffect, useState } from "react";

import { changeHistory, closeLeftLayers, countLayerEntries } from "#web/ui/close-on-back.ts";
import { isShown, persistScroll, saveScroll, saveScrollFor } from "./scroll-restoration.ts";
import { createStore, useStore } from "./store.ts";

/** How long a page may delay a navigation, in milliseconds, e.g. to fade its music out. */
const maxLeaveTime = 1100;

const listeners = new Set<() => void>();
const leaveHandlers = new Set<() => Promise<void>>();
const isNavigating = createStore(false);
/** The path that was asked for last. */
let lastPath = "";

export interface NavigateOptions {
  replace?: boolean;
  /** Runs in the same transition as the change of page, e.g. to change who is logged in. */
  update?: () => void;
}

/** Leads to an inner path such as `/login?redirectedFrom=/profile`; the next page starts loading at once. */
export function navigate(to: string, options: NavigateOptions = {}): void {
  changeHistory(() => changeAddress(to, options));
}

function changeAddress(to: string, options: NavigateOptions): void {
  const isHere = to === location.pathname + location.search + location.hash;
  const isInLayer = countLayerEntries() > 0;
  // The layer closes, and the history goes back to the page.
  if (isHere && isInLayer) return startNavigation(options.update);
  const state = { entry: createHistoryEntry() };
  saveScroll();
  if (!isHere && to.replace(/[?#].*/, "") === lastPath) saveScrollFor(state.entry);
  // The page takes the place of the layer that led to it.
  if (options.replace === true || isHere || isInLayer) history.replaceState(state, "", to);
  else history.pushState(state, "", to);
  startNavigation(options.update);
}

/** Follows the back and forward buttons. Called once, before the first screen. */
export function trackHistory(): void {
  history.scrollRestoration = "manual";
  lastPath = location.pathname;
  if (readHistoryEntry() === "") history.replaceState({ entry: createHistoryEntry() }, "");
  addEventListener("popstate", () => {
    closeLeftLayers();
    saveScroll();
    startNavigation();
  });
  addEventListener("pagehide", persistScroll);
}

/** Runs before the page changes; the change waits for it, at most 1.1 s. Returns a function that removes the handler. */
export function onBeforeNavigate(handler: () => Promise<void>): () => void {
  leaveHandlers.add(handler);
  return () => void leaveHandlers.delete(handler);
}

/** The path without escape sequences. It changes in a transition, so that a page stays until the next one is there. */
export function usePath(): string {
  return useInTransition(readPath);
}

/** The query, e.g. `?zeitraum=woche`; it changes together with the path. */
export function useSearch(): string {
  return useInTransition(readSearch);
}

/** Names this entry of the history, also after a reload; it changes with every navigation. */
export function useHistoryEntry(): string {
  return useInTransition(readHistoryEntry);
}

/** Whether the next page has been asked for and is not there yet. */
export function useIsNavigating(): boolean {
  return useStore(isNavigating);
}

/** The page asked for is on the screen. */
export function finishNavigation(): void {
  isNavigating.set(false);
}

function startNavigation(update?: () => void): void {
  // The same page with another query has nothing to wait for.
  const change = location.pathname === lastPath ? (work: () => void) => work() : startTransition;
  lastPath = location.pathname;
  const changePage = (): void => {
    // Who goes back before the next page was there is already where it leads.
    isNavigating.set(!isShown(readHistoryEntry()));
    change(() => {
      update?.();
      for (const listener of [...listeners]) listener();
    });
  };
  if (leaveHandlers.size === 0) return changePage();
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, maxLeaveTime));
  const handled = Promise.allSettled([...leaveHandlers].map((handler) => handler()));
  void Promise.race([timeout, handled]).then(changePage);
}

function useInTransition(read: () => string): string {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const follow = (): void => setValue(read());
    follow();
    listeners.add(follow);
    return () => void listeners.delete(follow);
  }, [read]);
  return value;
}

function readPath(): string {
  try {
    return decodeURI(location.pathname);
  } catch {
    return location.pathname;
  }
}

function readSearch(): string {
  return location.search;
}

/** A name for a new entry. Not by randomUUID, which is missing where the page came over plain http. */
function createHistoryEntry(): string {
  return String(Math.random());
}

function readHistoryEntry(): string {
  const state: unknown = history.state;
  const entry = typeof state === "object" && state !== null && "entry" in state ? state.entry : undefined;
  return typeof entry === "string" ? entry : "";
}
