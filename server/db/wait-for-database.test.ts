import { sql } from "kysely";
import { expect, test, vi } from "vitest";

import { explainDatabaseError, withDatabase } from "./connect.ts";
import { waitForDatabase } from "./wait-for-database.ts";

const onWait = vi.fn();
const never = new Promise<void>(() => {});
const timeouts = { waitMs: 10_000, pauseMs: 1 };

const failure = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ["refuses connections", failure("ECONNREFUSED")],
  ["has no DNS name yet", failure("ENOTFOUND")],
  ["is starting", failure("57P03")],
  ["refuses connections on two addresses", new AggregateError([failure("ECONNREFUSED"), failure("ECONNREFUSED")])],
])("the server start waits for a database that %s, and reports the wait once", async (_, error) => {
  onWait.mockClear();
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    if (attempts < 4) throw error;
  };
  expect(await waitForDatabase(work, { onWait, stop: never, timeouts })).toBe(true);
  expect(attempts).toBe(4);
  expect(onWait).toHaveBeenCalledTimes(1);
});

test.each(["28P01", "3D000", "42501"])(
  "the server start fails at once with the database error %s, which waiting cannot solve",
  async (code) => {
    const work = vi.fn(() => Promise.reject(failure(code)));
    await expect(waitForDatabase(work, { onWait, stop: never, timeouts })).rejects.toThrow(code);
    expect(work).toHaveBeenCalledTimes(1);
  },
);

test.for([
  ["database", (url: URL) => Object.assign(url, { pathname: "/nowhere" })],
  ["user", (url: URL) => Object.assign(url, { username: "nobody" })],
] as const)(
  "the server start fails without waiting if the PostgreSQL %s does not exist",
  { tags: "postgres-only" },
  async ([, change]) => {
    onWait.mockClear();
    const databaseUrl = change(new URL(process.env["TEST_DATABASE_URL"]!)).href;
    const work = () =>
      withDatabase({ databaseUrl, dataDir: "" }, async ({ db }) => void (await sql`select 1`.execute(db)));
    const error: unknown = await waitForDatabase(work, { onWait, stop: never, timeouts }).catch((thrown) => thrown);
    expect(explainDatabaseError(error)).toContain("DATABASE_URL: PostgreSQL cannot be used");
    expect(onWait).not.toHaveBeenCalled();
  },
);

test("the server start fails if the database remains unreachable for the longest wait", async () => {
  const work = () => Promise.reject(failure("ECONNREFUSED"));
  const short = { waitMs: 20, pauseMs: 1 };
  await expect(waitForDatabase(work, { onWait, stop: never, timeouts: short })).rejects.toThrow("ECONNREFUSED");
});

test("a server that is stopped while it waits for its database ends without an error", async () => {
  const stop = new Promise<void>((resolve) => setTimeout(resolve, 20));
  const work = () => Promise.reject(failure("ECONNREFUSED"));
  expect(await waitForDatabase(work, { onWait, stop, timeouts: { waitMs: 60_000, pauseMs: 5000 } })).toBe(false);
});
