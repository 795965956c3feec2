import { createRandomToken } from "#server/platform/http/session-cookies.ts";

/** Returns a new API token with 256 random bits. */
export function createApiToken(): string {
  return `st_${createRandomToken()}`;
}
