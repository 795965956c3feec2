import type { Counters } from "#contract/beercounter.ts";

/** The group's milestones are every hundredth beer; a member's are these and then every five hundredth. */
const groupStep = 100;
const memberFirsts = new Set([50, 100, 250]);
const memberStep = 500;

export function isGroupMilestone(count: number): boolean {
  return count > 0 && count % groupStep === 0;
}

export function isMemberMilestone(count: number): boolean {
  return memberFirsts.has(count) || (count > 0 && count % memberStep === 0);
}

/** The milestones of a beer after which the counters stand like this; the member's own comes first. */
export function milestonesAt({
  KSKCounterVal,
  userCounterVal,
}: Counters): { kind: "member" | "group"; count: number }[] {
  const milestones: { kind: "member" | "group"; count: number }[] = [];
  if (isMemberMilestone(userCounterVal)) milestones.push({ kind: "member", count: userCounterVal });
  if (isGroupMilestone(KSKCounterVal)) milestones.push({ kind: "group", count: KSKCounterVal });
  return milestones;
}
