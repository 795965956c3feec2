export interface MisspeltVariable {
  readonly name: string;
  readonly meant: string;
}

/** Variables of other programs whose names are near ours. */
const namesOfOthers = new Set(["API_KEY", "API_URL"]);

/** Finds names with other underscores, case or letter order, or a wrong letter or two, also before `_FILE`. */
export function listMisspeltVariables(names: readonly string[], known: readonly string[]): MisspeltVariable[] {
  return names.flatMap((name) => {
    const [, base = "", ending = ""] = /^(.*?)(_FILE)?$/is.exec(name) ?? [];
    if (known.includes(base) || namesOfOthers.has(base)) return [];
    const nearest = known
      .map((one) => ({ one, distance: distanceOf(lettersOf(base), lettersOf(one)) }))
      .toSorted((a, b) => a.distance - b.distance)[0];
    return nearest === undefined || nearest.distance > maxDistance(nearest.one)
      ? []
      : [{ name, meant: nearest.one + ending.toUpperCase() }];
  });
}

function lettersOf(name: string): string {
  return name.replaceAll(/[^A-Za-z\d]/g, "").toUpperCase();
}

/** Allows no wrong letter in short names: HOME is not a misspelt HOST. */
function maxDistance(name: string): number {
  const { length } = lettersOf(name);
  if (length < 6) return swapDistance;
  return length < 9 ? 1 : 2;
}

/** Letters in another order count less than a wrong letter. */
const swapDistance = 0.5;

/** Levenshtein distance. */
function distanceOf(left: string, right: string): number {
  if (left === right) return 0;
  if (Math.abs(left.length - right.length) > 2) return Infinity;
  if ([...left].toSorted().join("") === [...right].toSorted().join("")) return swapDistance;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = previous[column]! + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, previous[column + 1]! + 1, current[column]! + 1));
    }
    previous = current;
  }
  return previous.at(-1)!;
}
