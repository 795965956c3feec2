const key = "scroll-positions";
const positions = new Map<string, number>(readKept());
let here = "";

/** Notes how far the page is scrolled, before it is left. */
export function noteScroll(): void {
  positions.set(here, scrollY);
}

/** The next entry shows the same page otherwise: it stays where it is scrolled to. */
export function stayAt(entry: string): void {
  positions.set(entry, scrollY);
}

/** Scrolls a page that has just arrived to where it was left; a new one to its top. `entry` names it in the history. */
export function restoreScroll(entry: string): void {
  if (entry === here) return;
  here = entry;
  scrollTo({ top: positions.get(entry) ?? 0, behavior: "instant" });
}

/** Keeps the positions over a reload. */
export function keepScroll(): void {
  noteScroll();
  try {
    sessionStorage.setItem(key, JSON.stringify([...positions].slice(-50)));
  } catch {
    // Without a store a reload starts at the top.
  }
}

function readKept(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "[]") as [string, number][];
  } catch {
    return [];
  }
}
