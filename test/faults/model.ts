/** A minimal model of the beer counter, whose results tests compare with those of the server. */
export interface Model {
  now: number;
  /** Members by name, without deleted accounts. */
  readonly members: Map<string, ModelMember>;
  /** The time at which each beer was drunk, by member and key; undone beers are missing. */
  readonly beers: Map<string, number>;
}

interface ModelMember {
  own: number;
  /**
   * Every used idempotency key, with the total in its reply and the time until which the beer can
   * be undone; `undoUntil` is `null` if the beer does not count.
   */
  readonly keys: Map<string, { readonly reply: number; undoUntil: number | null }>;
}

const minute = 60_000;
const undoTime = 15 * minute;

/** The HTTP status of an answer, and the member's own total if the answer contains it. */
export type Outcome = readonly [status: number, own?: number];

export function tap({ now, members, beers }: Model, name: string, key: string, age: number): Outcome {
  const member = members.get(name)!;
  const known = member.keys.get(key);
  if (known) return [200, known.reply];
  member.own += 1;
  beers.set(`${name} ${key}`, now - age);
  // A beer can be undone for 15 minutes after its booking. A tap less than a minute old counts as
  // booked at the time of the tap.
  const booked = age >= minute ? now : now - age;
  member.keys.set(key, { reply: member.own, undoUntil: booked + undoTime });
  return [200, member.own];
}

export function undo({ now, members, beers }: Model, name: string, key: string): Outcome {
  const member = members.get(name)!;
  const known = member.keys.get(key);
  if (!known) member.keys.set(key, { reply: member.own, undoUntil: null });
  if (!known || known.undoUntil === null) return [200, member.own];
  if (now >= known.undoUntil) return [403];
  known.undoUntil = null;
  beers.delete(`${name} ${key}`);
  member.own -= 1;
  return [200, member.own];
}

export function deleteAccount({ members, beers }: Model, name: string, keepsBeers: boolean): Outcome {
  members.delete(name);
  if (!keepsBeers) for (const beer of beers.keys()) if (beer.startsWith(`${name} `)) beers.delete(beer);
  return [200];
}

/** Returns the number of beers on each day of this week in Berlin, Monday first. */
export function thisWeek({ now, beers }: Model): number[] {
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin" });
  const today = Date.parse(day.format(now));
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * 24 * 60 * minute;
  const counts = [0, 0, 0, 0, 0, 0, 0];
  for (const at of beers.values()) {
    const index = Math.round((Date.parse(day.format(at)) - monday) / (24 * 60 * minute));
    if (index in counts) counts[index]! += 1;
  }
  return counts;
}
