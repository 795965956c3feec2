import { dayNumber } from "#contract/christmas-calendar.ts";

const paints = ["#2c6b46", "#a5382c", "#2f5f8f", "#8f5a26"];

/** Returns the color of a door's shutters, which depends on the day of the door. */
export function doorPaint(date: string): string {
  return paints[dayNumber(date) % paints.length]!;
}
