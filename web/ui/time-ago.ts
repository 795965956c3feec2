const steps = [
  { unit: "minute", ms: 60_000 },
  { unit: "hour", ms: 60 * 60_000 },
  { unit: "day", ms: 24 * 60 * 60_000 },
] as const;

/** How long ago `at` was, e.g. "gerade eben", "vor 5 Minuten" (short: "vor 5 Min."), "gestern", "am 3. November". Epoch ms. */
export function timeAgo(at: number, now: number, style: "long" | "short" = "long"): string {
  const past = Math.max(0, now - at);
  if (past < steps[0].ms) return "gerade eben";
  const step = steps.findLast(({ ms }) => past >= ms) ?? steps[0];
  if (step.unit === "day" && past >= 7 * step.ms) {
    return `am ${new Intl.DateTimeFormat("de-DE", { day: "numeric", month: "long" }).format(at)}`;
  }
  return new Intl.RelativeTimeFormat("de-DE", { numeric: "auto", style }).format(
    -Math.floor(past / step.ms),
    step.unit,
  );
}
