import type { Access } from "./options.ts";

/** What is signed for the presence channel: the id as a string, and what the others see. */
export function presenceData(access: Access): string {
  return JSON.stringify({
    user_id: String(access.userId),
    user_info: { name: access.name, avatarId: access.avatarId },
  });
}

/** What is signed for a sign-in. */
export function signInData(access: Access): string {
  return JSON.stringify({ id: String(access.userId), user_info: { name: access.name, avatarId: access.avatarId } });
}
