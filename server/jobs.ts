import { cleanUpSessions } from "./features/auth/jobs.ts";
import { startNotifications } from "./features/notifications/jobs.ts";
import { cleanUpResetTokens } from "./features/password-reset/jobs.ts";
import { deleteLeftoverUploads } from "./features/profile/jobs.ts";
import type { Context } from "./platform/context.ts";

/** What runs by itself; returns what ends it. */
export function startJobs(context: Context): () => void {
  deleteLeftoverUploads(context);
  const stops = [
    cleanUpSessions(context),
    cleanUpResetTokens(context),
    context.mailer.start(),
    startNotifications(context),
  ];
  return () => stops.forEach((stop) => stop());
}
