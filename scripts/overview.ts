import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Endpoint } from "#contract/endpoint.ts";
import { createApp } from "#server/app.ts";
import { commands } from "#server/cli.ts";
import { readConfig } from "#server/config.ts";
import { openDatabase } from "#server/db/connect.ts";
import { migrate } from "#server/db/migrate.ts";
import { features, tables } from "#server/features.ts";
import { systemClock } from "#server/platform/clock.ts";
import { createLog } from "#server/platform/log.ts";
import { loadSecrets } from "#server/platform/security/secrets.ts";
import { formerTables } from "#server/platform/table-policy.ts";

/**
 * `npm run overview`: prints all routes, tables, channels, jobs and commands that features
 * register.
 */
export async function run(): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), "overview-"));
  const config = readConfig({ DATA_DIR: dataDir });
  const database = openDatabase({ databaseUrl: null, dataDir: ":memory:" });
  await migrate(database.db, database.kind, 0);
  const secrets = await loadSecrets(database, dataDir);
  const app = await createApp({
    stopping: new AbortController().signal,
    config,
    database,
    secrets,
    clock: systemClock,
    log: createLog("error"),
    gameServers: { drivers: {} },
  });

  const files = await endpointFiles();
  print(
    "Routes",
    app.http.endpoints
      .map((endpoint) => [endpoint.method, endpoint.path, audience(endpoint), files.get(endpoint) ?? ""])
      .toSorted((one, other) => (one[1]! < other[1]! ? -1 : 1)),
  );
  print(
    "Tables",
    Object.entries(tables).map(([table, { backup, memberColumns = {} }]) => [
      table,
      `backup: ${backup}${table in formerTables ? ", former" : ""}`,
      Object.entries(memberColumns)
        .map(([column, policy]) => `${column}: ${policy.onAccountDeletion}, ${policy.exportedAs ?? "not exported"}`)
        .join("; "),
    ]),
  );
  print(
    "Channels",
    features.flatMap(({ name, channels }) =>
      (channels?.(app) ?? []).map((channel) => [channel.name, channel.permission ?? "member", name]),
    ),
  );
  print(
    "Jobs",
    features.flatMap(({ name, jobs = [] }) =>
      jobs.map((job) => [job.name, job.interval ? `every ${job.interval / 60_000} min` : "at the start", name]),
    ),
  );
  print(
    "Commands",
    commands.map(({ name, description }) => [name, description]),
  );

  await app.http.fastify.close();
  await app.bus.close();
  await database.close();
  rmSync(dataDir, { recursive: true });
  return 0;
}

/** Maps each endpoint object to the contract file that defines it. */
async function endpointFiles(): Promise<Map<unknown, string>> {
  const files = new Map<unknown, string>();
  for (const file of readdirSync(join(import.meta.dirname, "../contract"))) {
    if (file.endsWith(".test.ts")) continue;
    const module = (await import(`../contract/${file}`)) as Record<string, unknown>;
    for (const value of Object.values(module)) files.set(value, `contract/${file}`);
  }
  return files;
}

function audience({ who }: Endpoint): string {
  return typeof who === "string" ? who : who.join(", ");
}

function print(title: string, rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  "));
  process.stdout.write(`${title}\n${lines.map((line) => `  ${line.trimEnd()}\n`).join("")}\n`);
}
