import { createHmac, hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { normalizeUname } from "#server/features/members/rules.ts";
import type { ServerProcess } from "#test/process/server-process.ts";

/** A member whose page is open. */
export interface PageMember {
  readonly id: number;
  readonly cookies: string;
  readonly csrfToken: string;
}

/** The APP_KEY of all instances, which determines the CSRF token of a session. */
export const appKey = "an-app-key-for-measurements-only";
const rowsAtOnce = 500;
const beersEach = 3;

/**
 * Writes members with a session and beers into the database, because thousands of logins would take
 * minutes. Call it before the server starts, because the server would not notice these changes.
 */
export async function createPageMembers(server: ServerProcess, count: number): Promise<PageMember[]> {
  await server.call("migrate");
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const { db, close } = server.openDatabase();
  for (let first = 0; first < count; first += rowsAtOnce) {
    const some = ids.slice(first, first + rowsAtOnce);
    await db.insertInto("users").values(some.map(toUser)).execute();
    const permissions = some.map((id) => ({ user_id: id, permission: "see-game-servers" as const }));
    await db.insertInto("user_permissions").values(permissions).execute();
    await db.insertInto("sessions").values(some.map(toSession)).execute();
  }
  await close();
  const file = join(server.dataDir, "beers.jsonl");
  writeFileSync(file, ids.flatMap(toBeers).join("\n"));
  await server.call("beers", "import", file);
  return ids.map(toPageMember);
}

export function toPageMember(id: number): PageMember {
  const session = sessionOf(id);
  const csrfToken = createHmac("sha256", appKey).update(session).digest("base64url");
  return { id, csrfToken, cookies: `session=${session}; XSRF-TOKEN=${csrfToken}` };
}

/** Returns a session id: 43 characters, like a random one. */
function sessionOf(id: number): string {
  return hash("sha256", `session ${id}`, "base64url");
}

function unameOf(id: number): string {
  return `mitglied-${id}`;
}

function toUser(id: number) {
  const [uname, created_at] = [unameOf(id), Date.now()];
  const email = `${uname}@stammtisch.example`;
  const keys = { uname_key: normalizeUname(uname), email_key: email };
  return { id, uname, name: `Mitglied ${id}`, email, ...keys, password_hash: "", created_at };
}

function toSession(user_id: number) {
  const now = Date.now();
  const times = { created_at: now, last_seen_at: now, confirmed_at: now, passkey_at: null };
  return { id: hash("sha256", sessionOf(user_id)), user_id, is_remembered: 1, user_agent: "", ...times };
}

/** Returns lines for `beers import`. */
function toBeers(id: number): string[] {
  return Array.from({ length: beersEach }, (_, index) => {
    const at = new Date(Date.now() - (id * beersEach + index) * 60_000).toISOString();
    return JSON.stringify({ uname: unameOf(id), at, key: `imported-${id}-${index}` });
  });
}
