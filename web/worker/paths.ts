const reserved = /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)/;

/** Returns `true` if the server answers this path with the app, not with an API reply or a file. */
export function isPagePath(path: string): boolean {
  return !reserved.test(path) && !/\.[^/]*$/.test(path);
}
