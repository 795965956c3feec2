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
