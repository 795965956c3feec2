import { isPagePath } from "./paths.ts";

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build: a name for this version, and the path of everything the pages consist of. */
declare const SHELL: { readonly version: string; readonly files: readonly string[] };

const prefix = "shell-";
const cacheName = prefix + SHELL.version;
const files = new Set(SHELL.files);

/** How long a page may keep somebody waiting who has the app on the device, in milliseconds. */
const pageTimeoutMs = 3000;

/**
 * Keeps the app on the device, so that it opens without network. Only what the build made is ever kept, nothing that
 * was asked for meanwhile: no answer to a member can end up here.
 */
export function registerShell(): void {
  self.addEventListener("install", (event) => event.waitUntil(fetchFiles()));
  self.addEventListener("activate", (event) => event.waitUntil(deleteOldVersions()));
  self.addEventListener("message", ({ data }) => {
    if (data === "skipWaiting") void self.skipWaiting();
  });
  self.addEventListener("fetch", (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== self.location.origin) return;
    if (request.mode === "navigate") {
      if (isPagePath(pathname)) event.respondWith(openPage(request));
    } else if (files.has(pathname) || pathname.startsWith("/assets/")) {
      event.respondWith(openFile(request));
    }
  });
}

async function fetchFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(
    SHELL.files.map(
      (path) => new Request(path, { credentials: "omit", cache: path.startsWith("/assets/") ? "default" : "no-cache" }),
    ),
  );
}

/** The version before this one stays, for pages of it that are still open and fetch their parts when they need them. */
async function deleteOldVersions(): Promise<void> {
  const versions = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
}

/** The page as the server has it now, or the one on the device where there is no network or no server behind it. */
async function openPage(request: Request): Promise<Response> {
  const kept = await caches.match("/", { cacheName, ignoreVary: true });
  if (kept === undefined) return fetch(request);
  const tooLong = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), pageTimeoutMs));
  const fresh = fetch(request).then(
    (answer) => (answer.status >= 500 ? kept : answer),
    () => kept,
  );
  return Promise.race([fresh, tooLong]);
}

async function openFile(request: Request): Promise<Response> {
  const options = { ignoreVary: true };
  const kept = (await caches.match(request, { ...options, cacheName })) ?? (await caches.match(request, options));
  return kept ?? fetch(request);
}
