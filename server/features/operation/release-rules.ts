import * as z from "zod/mini";

import { days } from "#server/time.ts";

const checkState = z.object({
  is_checking: z.boolean(),
  /** Highest version of the feed, e.g. `1.1.0`; `null` if unknown. */
  newest: z.nullable(z.string()),
  /** Epoch ms; `null` before the first check. */
  checked_at: z.nullable(z.number()),
  has_failed: z.boolean(),
});
export type CheckState = z.output<typeof checkState>;

export const switchedOff: CheckState = { is_checking: false, newest: null, checked_at: null, has_failed: false };

/** Returns a check that is switched off if no state is stored. */
export function parseState(stored: string | undefined): CheckState {
  return stored === undefined ? switchedOff : checkState.parse(JSON.parse(stored));
}

/** Ignores a last check that seems to lie in the future, because the clock was wrong. */
export function isDue({ is_checking, checked_at }: CheckState, now: number): boolean {
  return is_checking && (checked_at === null || checked_at > now || now - checked_at >= days(1));
}

const release = z.object({
  tag_name: z.string(),
  draft: z.optional(z.boolean()),
  prerelease: z.optional(z.boolean()),
});
/** JSON of GitHub and Forgejo: a list of releases or a single release. */
const feed = z.union([
  z.array(release).check(z.maxLength(1000)),
  z.pipe(
    release,
    z.transform((one) => [one]),
  ),
]);

const versionPattern = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/** Ignores drafts and pre-releases. Throws for anything but a feed. */
export function findNewestVersion(text: string): string | null {
  const versions = feed
    .parse(JSON.parse(text))
    .filter(({ draft, prerelease }) => draft !== true && prerelease !== true)
    .filter(({ tag_name }) => versionPattern.test(tag_name))
    .map(({ tag_name }) => tag_name.replace(/^v/, ""));
  return versions.toSorted(compareVersions).at(-1) ?? null;
}

/**
 * Returns a negative number if `left` is lower. A version with `-dev` is lower than its release; a text without a
 * version is the lowest.
 */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [numbersOf(left), numbersOf(right)];
  const index = a.findIndex((number, position) => number !== b[position]);
  return index < 0 ? 0 : a[index]! - b[index]!;
}

function numbersOf(version: string): number[] {
  const [released, rest] = version.split("-dev", 2);
  const [, ...numbers] = versionPattern.exec(released!) ?? ["", "-1", "-1", "-1"];
  return [...numbers.map(Number), rest === undefined ? 1 : 0];
}
