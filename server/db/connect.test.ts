import { sql } from "kysely";
import { expect, test } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { explainDatabaseError, isDiskFull, isUnavailable } from "./connect.ts";

test.each([
  // Docker's name server reports EAI_AGAIN for a stopped container. EHOSTUNREACH and ENETUNREACH
  // mean that the machine cannot be reached.
  ["getaddrinfo EAI_AGAIN postgres", "EAI_AGAIN"],
  ["connect EHOSTUNREACH 172.18.0.2:5432", "EHOSTUNREACH"],
  ["connect ENETUNREACH 172.18.0.2:5432", "ENETUNREACH"],
  // Message of a statement_timeout from a PostgreSQL server whose language is German.
  ["storniere Anfrage wegen Zeitüberschreitung der Anfrage", "57014"],
])("isUnavailable() treats the error “%s” as a temporary outage, not as a bug", (message, code) => {
  expect(isUnavailable(Object.assign(new Error(message), { code }))).toBe(true);
});

test.each([
  ["database or disk is full", { code: "ERR_SQLITE_ERROR", errcode: 13 }, true],
  ["disk I/O error of a write, for example over a quota", { code: "ERR_SQLITE_ERROR", errcode: 778 }, true],
  ["database is locked", { code: "ERR_SQLITE_ERROR", errcode: 5 }, false],
  ["disk I/O error of a read", { code: "ERR_SQLITE_ERROR", errcode: 266 }, false],
  ["could not extend file: No space left on device", { code: "53100" }, true],
  ["sorry, too many clients already", { code: "53300" }, false],
  ["ENOSPC: no space left on device, write", { code: "ENOSPC" }, true],
  ["EDQUOT: disk quota exceeded, write", { code: "EDQUOT" }, true],
  ["EROFS: read-only file system, open", { code: "EROFS" }, false],
])("isDiskFull() for the error “%s” (%o) returns %s", (message, fields, expected) => {
  expect(isDiskFull(Object.assign(new Error(message), fields))).toBe(expected);
});

test(
  "a PostgreSQL connection lost during a transaction fails that transaction, but no later request",
  { tags: "postgres-only" },
  async () => {
    const app = await createTestApp();
    const transaction = app.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(app.db);
      return sql`select 1`.execute(tx);
    });
    expect(await transaction.catch(isUnavailable)).toBe(true);
    expect((await app.createClient().get("/readyz")).status).toBe(200);
  },
);

test.each([
  ["42501", "permission denied for schema public"],
  ["53300", "sorry, too many clients already"],
  ["57P03", "the database system is starting up"],
  [undefined, "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"],
  [undefined, "The server does not support SSL connections"],
])("explainDatabaseError() names DATABASE_URL if PostgreSQL refuses the connection (code %s)", (code, message) => {
  const error = Object.assign(new Error(message), { code });
  expect(explainDatabaseError(error)).toBe(`DATABASE_URL: PostgreSQL cannot be used (${message}).`);
});
