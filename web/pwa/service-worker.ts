import { createStore, useStore } from "#web/data/store.ts";
import { navigate } from "#web/router/navigation.ts";

/** Milliseconds after which an app that remains open checks for a newer version once it becomes visible. */
const updateCheckInterval = 10 * 60_000;

/** The waiting service worker; `active` if another tab has already activated it. */
const newVersion = createStore<ServiceWorker | "active" | null>(null);

/** Registers the service worker that opens the app offline. Skipped by `npm run dev`, where every file is fresh. */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  try {
    // A browser with a registered worker checks for a newer one at every visit.
    trackUpdates((await findRegistration()) ?? (await navigator.serviceWorker.register("/sw.js")));
  } catch {
    // Only offline starts need the worker.
  }
}

/** Opens the page of a clicked notification. Called before the first render, because messages are not queued. */
export function openClickedNotifications(): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<{ open?: string } | null>) => {
    if (typeof data?.open === "string") navigate(data.open);
  });
}

/** Returns the registration of the running worker; `undefined` if there is none, or if the browser refuses. */
export async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration().catch(() => undefined);
}

/** Returns `true` if a newer version than this page's has been fetched. */
export function useIsNewVersionReady(): boolean {
  return useStore(newVersion) !== null;
}

/** Activates the newer version and shows it. */
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

/** A page that was fetched after the update is as new as the waiting worker. */
async function handleWaitingWorker(waiting: ServiceWorker | null): Promise<void> {
  if (waiting === null) return newVersion.get() === "active" ? undefined : newVersion.set(null);
  if (await isUpToDate()) skipWaiting(waiting);
  else newVersion.set(waiting);
}

/** Another tab has activated the newer version; this one keeps its own files until it is reloaded. */
async function handleControllerChange(): Promise<void> {
  if (!(await isUpToDate())) newVersion.set("active");
}

/** Returns `true` if this page belongs to the newest version on the device; its script name identifies the version. */
async function isUpToDate(): Promise<boolean> {
  const newest = (await caches.keys()).findLast((name) => name.startsWith("shell-"));
  return newest !== undefined && (await (await caches.open(newest)).match(import.meta.url)) !== undefined;
}

function skipWaiting(worker: ServiceWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows are told an origin
  worker.postMessage("skipWaiting");
}
