import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runInProcess } from "#test/command-line.ts";
import { startServerProcess } from "./server-process.ts";

const dist = join(import.meta.dirname, "../../dist");

test("the server's logs, answers, built files and command line contain no secrets", async () => {
  const smtp = "smtp://post:Briefkasten-hinten-links@127.0.0.1:1";
  await using server = await startServerProcess({
    env: { SMTP_URL: smtp, MAIL_FROM: "post@stammtisch.example", LOG_LEVEL: "debug" },
  });
  const [anna] = await server.createMembers("anna");
  const commandLine = readFileSync(`/proc/${server.pid}/cmdline`, "utf8");
  const answers = await Promise.all(
    ["/", "/api/config", "/readyz", "/secrets.json", "/api/nowhere"].map((path) => anna!.get(path)),
  );
  const doctor = await runInProcess(["doctor"], server.env);

  const { appKey, realtimeSecret, vapid } = JSON.parse(readFileSync(join(server.dataDir, "secrets.json"), "utf8"));
  const secrets: string[] = [
    appKey,
    realtimeSecret,
    vapid.privateKey,
    "Briefkasten-hinten-links",
    ...anna!.cookies.values(),
  ];
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(20);
  const bundle = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect(bundle.length).toBeGreaterThan(20);
  const texts = [commandLine, server.output.errors, doctor.printed, ...answers.map(({ text }) => text), ...bundle];
  expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  // Stdout contains only the first invitation, whose token is not one of these secrets.
  expect(secrets.filter((secret) => server.output.out.includes(secret))).toEqual([]);
});
