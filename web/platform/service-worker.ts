import { navigate } from "./location.ts";
import { createStore, useStore } from "./store.ts";

/** How often an app that stays open looks for a newer version when it is looked at again, in milliseconds. */
const updateCheckInterval = 10 * 60_000;

/** The newer version that waits; `active` where another window has let it take over already. */
const newVersion = createStore<ServiceWorker | "active" | null>(null);

/** Registers the worker that lets the app open without network. Not under `npm run dev`, where every file is fresh. */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  try {
    // A browser that has it looks for a newer one at every visit by itself.
    trackUpdates((await findRegistration()) ?? (await navigator.serviceWorker.register("/sw.js")));
  } catch {
    // Without a worker everything works that needs no offline start.
  }
}

/** Opens the page of a notification that is tapped. Called before the first screen: a message waits for no listener. */
export function followTappedNotifications(): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<{ open?: string } | null>) => {
    if (typeof data?.open === "string") navigate(data.open);
  });
}

/** The worker's registration once it runs; undefined where there is none, or the browser refuses it. */
export async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration().catch(() => undefined);
}

/** Whether a newer version has been fetched than the one on the screen. */
export function useIsNewVersionReady(): boolean {
  return useStore(newVersion) !== null;
}

/** Lets the newer version take over, and shows it. */
export function activateNewVersion(): void {
  const worker = newVersion.get();
  if (worker === "active") return location.reload();
  worker?.addEventListener("statechange", () => worker.state === "activated" && location.reload());
  if (worker !== null) skipWaiting(worker);
}

function trackUpdates(registration: ServiceWorkerRegistration): void {
  const watch = (worker: ServiceWorker | null): void => {
    worker?.addEventListener("statechange", () => void handleWaitingWorker(registration.waiting));
  };
  registration.addEventListener("updatefound", () => watch(registration.installing));
  watch(registration.installing);
  void handleWaitingWorker(registration.waiting);
  navigator.serviceWorker.addEventListener("controllerchange", () => void handleControllerChange());

  let checkedAt = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - checkedAt < updateCheckInterval) return;
    checkedAt = Date.now();
    registration.update().catch(() => undefined);
  });
}

/** A page that came from the server after the update is as new as the waiting worker, and has nothing to ask. */
async function handleWaitingWorker(waiting: ServiceWorker | null): Promise<void> {
  if (waiting === null) return newVersion.get() === "active" ? undefined : newVersion.set(null);
  if (await isUpToDate()) skipWaiting(waiting);
  else newVersion.set(waiting);
}

/** Another window has let the newer version take over; this one goes on with the files of its own until it is reloaded. */
async function handleControllerChange(): Promise<void> {
  if (!(await isUpToDate())) newVersion.set("active");
}

/** Whether this page belongs to the newest version on the device: this script is named by everything that it loads. */
async function isUpToDate(): Promise<boolean> {
  const newest = (await caches.keys()).findLast((name) => name.startsWith("shell-"));
  return newest !== undefined && (await (await caches.open(newest)).match(import.meta.url)) !== undefined;
}

function skipWaiting(worker: ServiceWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows are told an origin
  worker.postMessage("skipWaiting");
}
