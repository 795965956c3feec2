import { startTransition, useEffect, useState } from "react";

import { keepScroll, noteScroll, stayAt } from "./scroll-memory.ts";
import { createStore, useStore } from "./store.ts";

/** How long a page that is being left may take to say goodbye, e.g. to fade its music out. */
const longestGoodbye = 1100;

const listeners = new Set<() => void>();
const goodbyes = new Set<() => Promise<void>>();
const onTheWay = createStore(false);
/** The path that was asked for last. */
let lastPath = "";

export interface Departure {
  replace?: boolean;
  /** What changes together with the page, e.g. who is logged in. */
  along?: () => void;
}

/** Leads to an inner path such as `/login?redirectedFrom=/profile`; the next page starts loading at once. */
export function navigate(to: string, options: Departure = {}): void {
  const isHere = to === location.pathname + location.search + location.hash;
  const state = { entry: crypto.randomUUID() };
  noteScroll();
  if (!isHere && to.replace(/[?#].*/, "") === lastPath) stayAt(state.entry);
  if (options.replace === true || isHere) history.replaceState(state, "", to);
  else history.pushState(state, "", to);
  arrive(options.along);
}

/** Follows the back and forward buttons. Called once, before the first screen. */
export function followHistory(): void {
  history.scrollRestoration = "manual";
  lastPath = location.pathname;
  if (historyEntry() === "") history.replaceState({ entry: crypto.randomUUID() }, "");
  addEventListener("popstate", () => {
    noteScroll();
    arrive();
  });
  addEventListener("pagehide", keepScroll);
}

/** Runs before the page changes; the change waits for it, though never longer than 1.1 s. Returns how to stop that. */
export function beforeLeaving(goodbye: () => Promise<void>): () => void {
  goodbyes.add(goodbye);
  return () => void goodbyes.delete(goodbye);
}

/** wouter's location: the path as state, so that pages change in a transition and the old one stays until then. */
export function useLocationInTransition(): [string, typeof navigate] {
  return [useInTransition(readPath), navigate];
}

/** What stands behind the path, e.g. `?zeitraum=woche`; it changes with the page. */
export function useSearch(): string {
  return useInTransition(readSearch);
}

/** Names this entry of the history, also after a reload; it changes with every navigation. */
export function useHistoryEntry(): string {
  return useInTransition(historyEntry);
}

/** Whether the next page has been asked for and is not there yet. */
export function useIsOnTheWay(): boolean {
  return useStore(onTheWay);
}

/** The page asked for is on the screen. */
export function reportArrival(): void {
  onTheWay.set(false);
}

function arrive(along?: () => void): void {
  // The same page with another query has nothing to wait for.
  const change = location.pathname === lastPath ? (work: () => void) => work() : startTransition;
  lastPath = location.pathname;
  const announce = (): void => {
    onTheWay.set(true);
    change(() => {
      along?.();
      for (const listener of [...listeners]) listener();
    });
  };
  if (goodbyes.size === 0) return announce();
  const patience = new Promise<void>((resolve) => setTimeout(resolve, longestGoodbye));
  const farewell = Promise.allSettled([...goodbyes].map((goodbye) => goodbye()));
  void Promise.race([patience, farewell]).then(announce);
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
  return location.pathname;
}

function readSearch(): string {
  return location.search;
}

function historyEntry(): string {
  const state: unknown = history.state;
  const entry = typeof state === "object" && state !== null && "entry" in state ? state.entry : undefined;
  return typeof entry === "string" ? entry : "";
}
