import { stripVTControlCharacters } from "node:util";

const maxLength = 200;
const unreadable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns the last non-empty line, as plain text of at most 200 characters; `null` if all lines are
 * empty.
 */
export function findLastLine(output: string): string | null {
  const lines = stripVTControlCharacters(output)
    .split(/[\r\n]/)
    .map((line) => line.replaceAll("\t", " ").replaceAll(unreadable, "").trim());
  const last = [...(lines.findLast((line) => line !== "") ?? "")];
  if (last.length === 0) return null;
  return last.length > maxLength ? `${last.slice(0, maxLength - 1).join("")}…` : last.join("");
}
