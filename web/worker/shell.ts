declare const self: ServiceWorkerGlobalScope;
/** Inserted by web/build/service-worker.ts. `page` works at every address; `files` are all paths to cache. */
declare const SHELL: { readonly version: string; readonly page: string; readonly files: readonly string[] };

const reservedPath = /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)/;
const prefix = "shell-";
const cacheName = prefix + SHELL.version;
const files = new Set(SHELL.files);

/** After this time, the cached page is shown. */
const pageTimeoutMs = 3000;

/** Caches only files of the build, never a member's data. */
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

/** Keeps the previous version, whose open pages may still load files. */
async function deleteOldVersions(): Promise<void> {
  const versions = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
}

/** Returns the cached page if the server is unreachable or too slow. */
async function openPage(request: Request): Promise<Response> {
  const kept = await caches.match(SHELL.page, { cacheName, ignoreVary: true });
  if (kept === undefined) return fetch(request);
  const tooLong = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), pageTimeoutMs));
  const fresh = fetch(request).then(
    // Every path has a page; a 404 comes from a proxy such as Traefik while the server restarts.
    (answer) => (answer.status === 404 || answer.status >= 500 ? kept : answer),
    () => kept,
  );
  return Promise.race([fresh, tooLong]);
}

/** Returns `false` for the API and files. */
function isPagePath(path: string): boolean {
  return !reservedPath.test(path) && !/\.[^/]*$/.test(path);
}

async function openFile(request: Request): Promise<Response> {
  const options = { ignoreVary: true };
  const kept = (await caches.match(request, { ...options, cacheName })) ?? (await caches.match(request, options));
  return kept ?? fetch(request);
}
