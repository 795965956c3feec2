import { dayNumber } from "#contract/christmas-calendar.ts";

const paints = ["#2c6b46", "#a5382c", "#2f5f8f", "#8f5a26"];

/** Returns the color of a door's shutters for its day. */
export function doorPaint(date: string): string {
  return paints[dayNumber(date) % paints.length]!;
}
