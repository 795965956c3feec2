import { createStore } from "#web/client/store.ts";
import { useStore } from "./session.ts";

/**
 * Minimum milliseconds between two checks for a newer version; an open app checks when it becomes
 * visible.
 */
const updateCheckInterval = 10 * 60_000;

/**
 * The waiting service worker of a newer version; `active` if another tab has already activated it,
 * `null` without a newer version.
 */
const newVersion = createStore<ServiceWorker | "active" | null>(null);

/**
 * Registers the service worker, which lets the app start offline. Does nothing in development,
 * where cached files would soon be stale.
 */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  try {
    // A registered worker needs no second registration, because the browser checks for a newer one
    // at every visit.
    trackUpdates((await findRegistration()) ?? (await navigator.serviceWorker.register("/sw.js")));
  } catch {
    // A failure is ignored, because only starting the app offline requires the worker.
  }
}

/**
 * Opens the page of a clicked notification with `open`. Called before the first render, because messages of the service
 * worker are not queued.
 */
export function openClickedNotifications(open: (href: string) => void): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<{ open?: string } | null>) => {
    if (typeof data?.open === "string") open(data.open);
  });
}

/**
 * Returns the registration of the service worker; `undefined` if none is registered or the browser
 * refuses access.
 */
export async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration().catch(() => undefined);
}

/** Returns `true` if a newer version of the app has been fetched. */
export function useIsNewVersionReady(): boolean {
  return useStore(newVersion) !== null;
}

/** Activates the newer version and reloads the page. */
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

/**
 * Activates a waiting worker if this page was fetched after the update and already belongs to the
 * newest version. Otherwise offers the newer version.
 */
async function handleWaitingWorker(waiting: ServiceWorker | null): Promise<void> {
  if (waiting === null) return newVersion.get() === "active" ? undefined : newVersion.set(null);
  if (await isUpToDate()) skipWaiting(waiting);
  else newVersion.set(waiting);
}

/**
 * Offers a reload after another tab has activated the newer version; until the reload, this page
 * keeps its old files.
 */
async function handleControllerChange(): Promise<void> {
  if (!(await isUpToDate())) newVersion.set("active");
}

/**
 * Returns `true` if this page belongs to the newest version in the browser's cache, i.e. if that
 * version's cache contains the file of this script.
 */
async function isUpToDate(): Promise<boolean> {
  const newest = (await caches.keys()).findLast((name) => name.startsWith("shell-"));
  return newest !== undefined && (await (await caches.open(newest)).match(import.meta.url)) !== undefined;
}

function skipWaiting(worker: ServiceWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows are told an origin
  worker.postMessage("skipWaiting");
}
