import type { ManagedMember } from "#contract/member-management.ts";

type Findable = Pick<ManagedMember, "name" | "uname" | "email" | "disabled">;

/**
 * Returns the members whose name, user name or email address contains every word of the search.
 * Sorts them by name, with disabled members last.
 */
export function filterMembers<Member extends Findable>(members: readonly Member[], search: string): Member[] {
  const words = normalize(search).split(/\s+/).filter(Boolean);
  return members
    .filter(({ name, uname, email }) => words.every((word) => normalize(`${name} ${uname} ${email}`).includes(word)))
    .toSorted(
      (one, other) => Number(one.disabled) - Number(other.disabled) || one.name.localeCompare(other.name, "de"),
    );
}

function normalize(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase("de");
}
