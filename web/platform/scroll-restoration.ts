const key = "scroll-positions";
let positions = new Map<string, number>();
let currentEntry = "";

/** Notes how far the page is scrolled, before it is left. */
export function saveScroll(): void {
  positions.set(currentEntry, scrollY);
}

/** The next entry shows the same page otherwise: it stays where it is scrolled to. */
export function saveScrollFor(entry: string): void {
  positions.set(entry, scrollY);
}

/** Whether the page of this entry is on the screen. */
export function isShown(entry: string): boolean {
  return entry === currentEntry;
}

/** Scrolls a page that has just arrived to where it was left; a new one to its top. `entry` names it in the history. */
export function restoreScroll(entry: string): void {
  if (entry === currentEntry) return;
  const isFirst = currentEntry === "";
  if (isFirst) positions = new Map(readPersisted());
  const top = positions.get(entry) ?? 0;
  currentEntry = entry;
  // The first page begins at its top, and scrolling would lay it out twice.
  if (!isFirst || top > 0) scrollTo({ top, behavior: "instant" });
}

/** Keeps the positions over a reload, unless none was read yet: a page may be reloaded before it has arrived. */
export function persistScroll(): void {
  if (currentEntry === "") return;
  saveScroll();
  try {
    sessionStorage.setItem(key, JSON.stringify([...positions].slice(-50)));
  } catch {
    // Without a store a reload starts at the top.
  }
}

function readPersisted(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]") as [string, number][];
  } catch {
    return [];
  }
}
