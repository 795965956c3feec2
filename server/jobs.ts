import { tidySessions } from "./features/auth/jobs.ts";
import { startNotifications } from "./features/notifications/jobs.ts";
import { tidyResetTokens } from "./features/password-reset/jobs.ts";
import { sweepUploads } from "./features/profile/jobs.ts";
import type { Platform } from "./platform/platform.ts";

/** What runs by itself; returns what ends it. */
export function startJobs(platform: Platform): () => void {
  sweepUploads(platform);
  const stops = [
    tidySessions(platform),
    tidyResetTokens(platform),
    platform.mailer.start(),
    startNotifications(platform),
  ];
  return () => stops.forEach((stop) => stop());
}
