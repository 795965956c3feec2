import { createHmac } from "node:crypto";

import { dayNumber } from "#contract/christmas-calendar.ts";
import { listDoorNumbers } from "./rules.ts";

/** Inputs of a dealing (one run of the lottery); with the seed, they determine its result. */
export interface DealingInputs {
  /** Doors to be dealt, in order. */
  readonly dates: readonly string[];
  /** In order of their ids. */
  readonly members: readonly {
    readonly id: number;
    /** Doors of the year that the member already has. */
    readonly doors: number;
    /** Doors that may move to a member with fewer doors. */
    readonly movable: readonly string[];
  }[];
}

export interface DealtDoor {
  readonly date: string;
  readonly to: number;
  /** Previous member; `null` if the door was free. */
  readonly from: number | null;
}

/**
 * Deals each door to a member with the fewest doors; then members with the most give movable ones away until the counts
 * differ by at most one. Depends only on the arguments.
 */
export function dealDoors({ dates, members }: DealingInputs, seed: string): DealtDoor[] {
  const pick = createPicker(seed);
  const held = shuffle(members, pick).map(({ id, doors, movable }) => ({ id, doors, movable: [...movable] }));
  const findFewest = () => held.reduce((fewest, one) => (one.doors < fewest.doors ? one : fewest));
  if (held.length === 0) return [];
  const dealt: DealtDoor[] = shuffle(dates, pick).map((date) => {
    const taker = findFewest();
    taker.doors += 1;
    return { date, to: taker.id, from: null };
  });
  for (;;) {
    const taker = findFewest();
    const [giver] = held.filter(({ movable }) => movable.length > 0).toSorted((one, other) => other.doors - one.doors);
    if (giver === undefined || giver.doors - taker.doors < 2) break;
    const [date] = giver.movable.splice(pick(giver.movable.length), 1);
    giver.doors -= 1;
    taker.doors += 1;
    dealt.push({ date: date!, to: taker.id, from: giver.id });
  }
  return dealt.toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

const pickBytes = 6;

/**
 * Picks a whole number below its argument: the first 48 bits of HMAC-SHA-256 over "0", "1", … with the seed as key,
 * modulo the argument. Skips the highest values, which would favor small numbers.
 */
export function createPicker(seed: string): (below: number) => number {
  let count = 0;
  return (below) => {
    const end = 2 ** (8 * pickBytes);
    for (;;) {
      const digest = createHmac("sha256", seed).update(String(count)).digest();
      count += 1;
      const value = digest.readUIntBE(0, pickBytes);
      if (value < end - (end % below)) return value % below;
    }
  };
}

function shuffle<Item>(items: readonly Item[], pick: (below: number) => number): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(pick(rest.length), 1)[0]!);
}

/** `without` is the number of members without a door. */
export function describeDealing(dealt: number, without: number): string {
  if (dealt === 0) return "Es ist kein Türchen mehr frei.";
  const told = dealt === 1 ? "1 Türchen ist verlost." : `${dealt} Türchen sind verlost.`;
  if (without === 0) return told;
  return `${told} ${without === 1 ? "1 Mitglied hat" : `${without} Mitglieder haben`} keins.`;
}

export function describeRedealing(doors: number): string {
  return doors === 1
    ? "Jemand ist gegangen: 1 Türchen ist neu verlost."
    : `Jemand ist gegangen: ${doors} Türchen sind neu verlost.`;
}

export function describeDrawn(dates: readonly string[]): string {
  return `Du hast ${listDoorNumbers(dates)} gezogen! Häng ${dates.length === 1 ? "ein Bild" : "Bilder"} auf, bevor der Tag beginnt.`;
}

const mostNumbers = 4;

interface Tasks {
  /** Today's door, if the member has not opened it. */
  readonly closed: string | undefined;
  readonly asking: string | undefined;
  /** In ascending order. */
  readonly empty: readonly string[];
}

/** Asks the member to open today's door, to answer a swap offer, or to fill empty doors; `null` without a task. */
export function describeNextTask({ closed, asking, empty }: Tasks): string | null {
  if (closed !== undefined) return `Türchen ${dayNumber(closed)} ist dran: Mach es auf!`;
  if (asking !== undefined) return `${asking} möchte ein Türchen mit dir tauschen.`;
  if (empty.length === 0) return null;
  if (empty.length === 1) return `Türchen ${listDoorNumbers(empty)} wartet auf dein Bild.`;
  if (empty.length > mostNumbers) return `${empty.length} Türchen warten auf deine Bilder.`;
  return `Türchen ${listDoorNumbers(empty)} warten auf deine Bilder.`;
}

export function describeOffer(from: string, date: string): string {
  return `${from} möchte Türchen ${dayNumber(date)} mit einem von deinen tauschen.`;
}

export function describeSwapped(by: string, given: string, taken: string): string {
  return `${by} tauscht mit dir: Du füllst jetzt Türchen ${dayNumber(taken)} statt ${dayNumber(given)}.`;
}

export function describeDeclined(by: string, date: string): string {
  return `${by} möchte lieber nicht tauschen. Türchen ${dayNumber(date)} bleibt deins.`;
}
