const reserved = /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)/;

/** Returns `true` if the path belongs to a page of the app, not to the API or a file. */
export function isPagePath(path: string): boolean {
  return !reserved.test(path) && !/\.[^/]*$/.test(path);
}
