import type { DataOf } from "#contract/event.ts";
import type { milestoneReached } from "#contract/milestones.ts";
import { formatNumber } from "#web/ui/german.ts";

/**
 * Returns the title and the text that celebrate a milestone. `memberId` is the id of the logged-in
 * member.
 */
export function milestoneTexts(
  { kind, count, userId, userName }: DataOf<typeof milestoneReached>,
  memberId: number,
): { title: string; text: string } {
  const number = `${formatNumber(count)}.`;
  const isOwn = userId === memberId;
  if (kind === "group") {
    const by = isOwn ? "dir" : userName;
    return { title: `Unser ${number} Bier`, text: by === null ? "Prost, alle zusammen!" : `gezapft von ${by}` };
  }
  return isOwn
    ? { title: `Dein ${number} Bier`, text: "Prost auf dich!" }
    : { title: `Das ${number} Bier von ${userName}`, text: `Prost, ${userName}!` };
}
