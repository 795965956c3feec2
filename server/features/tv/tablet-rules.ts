import { tabletUndoMs } from "#contract/tablet.ts";
import { hours, minutes, seconds } from "#server/time.ts";

/** Beers per minute and per day. The first limit is that of a tablet, the others are those of each of its faces. */
export const tapLimits = {
  tablet: { limit: 120, seconds: 60 },
  face: { limit: 20, seconds: 60 },
  faceDaily: { limit: 300, seconds: hours(24) / 1000 },
} as const;

/** Wrong PINs of a face at one tablet: each longer window pauses the face for longer. */
export const pinLimits = [
  { limit: 5, seconds: 60 },
  { limit: 10, seconds: minutes(15) / 1000 },
  { limit: 20, seconds: hours(12) / 1000 },
] as const;

/** Wrong PINs of a face at all tablets together. Its member taps on, without tablets. */
export const pinLimitEverywhere = { limit: 40, seconds: hours(12) / 1000 } as const;

/** A request may take this long. */
const undoTolerance = seconds(5);

/** `age` is the milliseconds since the undo was tapped. */
export function isUndoInTime(beer: { readonly at: number }, now: number, age: number): boolean {
  return now - age - beer.at <= tabletUndoMs + undoTolerance;
}

interface FaceId {
  readonly kind: "member" | "guest";
  readonly id: number;
}

/** Takes a face's id such as `member-12`. */
export function parseFaceId(face: string): FaceId {
  const [kind, id] = face.split("-") as ["member" | "guest", string];
  return { kind, id: Number(id) };
}
