import type { Totals } from "#contract/beercounter.ts";

const groupFirsts = new Set([1, 10, 25]);
const groupStep = 100;
const memberFirsts = new Set([10, 50, 100, 250]);
const memberStep = 500;

export function isGroupMilestone(count: number): boolean {
  return groupFirsts.has(count) || (count > 0 && count % groupStep === 0);
}

export function isMemberMilestone(count: number): boolean {
  return memberFirsts.has(count) || (count > 0 && count % memberStep === 0);
}

/** Returns all milestones up to this number of beers, in ascending order. */
export function listMemberMilestones(beers: number): number[] {
  const steps = Array.from({ length: Math.floor(beers / memberStep) }, (_, step) => (step + 1) * memberStep);
  return [...memberFirsts, ...steps].filter((count) => count <= beers);
}

/** Returns the member's milestone before the group's. */
export function milestonesAt({ group, own }: Totals): { kind: "member" | "group"; count: number }[] {
  const milestones: { kind: "member" | "group"; count: number }[] = [];
  if (isMemberMilestone(own)) milestones.push({ kind: "member", count: own });
  if (isGroupMilestone(group)) milestones.push({ kind: "group", count: group });
  return milestones;
}
