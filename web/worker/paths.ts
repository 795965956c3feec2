const reserved = /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)/;

/** Whether the server answers this path with the app: not a call, not a file. */
export function isPagePath(path: string): boolean {
  return !reserved.test(path) && !/\.[^/]*$/.test(path);
}
