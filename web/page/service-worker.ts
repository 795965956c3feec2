import { createStore } from "#web/client/store.ts";
import { useStore } from "./session.ts";

/** Minimum between two checks for a newer version, each when the app becomes visible. */
const updateCheckMs = 10 * 60_000;

/** The waiting worker of a newer version; `active` if another tab has already activated it. */
const newVersion = createStore<ServiceWorker | "active" | null>(null);

/** Does nothing in development, where cached files would soon be stale. */
export async function registerServiceWorker(): Promise<void> {
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  try {
    // The browser checks for a newer worker at every visit.
    trackUpdates((await findRegistration()) ?? (await navigator.serviceWorker.register("/sw.js")));
  } catch {
    // Only starts without a network need the worker.
  }
}

/** Runs before the first render, because messages of the service worker are not queued. */
export function openClickedNotifications(open: (href: string) => void): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<{ open?: string } | null>) => {
    if (typeof data?.open === "string") open(data.open);
  });
}

/** Returns `undefined` if none is registered or the browser refuses access. */
export async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker?.getRegistration().catch(() => undefined);
}

export function useIsNewVersionReady(): boolean {
  return useStore(newVersion) !== null;
}

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
    if (document.visibilityState !== "visible" || Date.now() - checkedAt < updateCheckMs) return;
    checkedAt = Date.now();
    registration.update().catch(() => undefined);
  });
}

/** Activates it if this page was fetched after the update; otherwise offers the newer version. */
async function handleWaitingWorker(waiting: ServiceWorker | null): Promise<void> {
  if (waiting === null) return newVersion.get() === "active" ? undefined : newVersion.set(null);
  if (await isUpToDate()) skipWaiting(waiting);
  else newVersion.set(waiting);
}

/** Offers a reload; until then, this page keeps its old files. */
async function handleControllerChange(): Promise<void> {
  if (!(await isUpToDate())) newVersion.set("active");
}

/** Returns `true` if the newest version's cache contains the file of this script. */
async function isUpToDate(): Promise<boolean> {
  const newest = (await caches.keys()).findLast((name) => name.startsWith("shell-"));
  return newest !== undefined && (await (await caches.open(newest)).match(import.meta.url)) !== undefined;
}

function skipWaiting(worker: ServiceWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows are told an origin
  worker.postMessage("skipWaiting");
}
