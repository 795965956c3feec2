import { days } from "#server/time.ts";

/** Limit per member, because each change sends two mails, and the new address may belong to a stranger. */
export const emailChanges = { limit: 5, seconds: days(1) / 1000 };
