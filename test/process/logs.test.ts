import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { startServerProcess } from "./server-process.ts";

const readers: [which: string, shell: string][] = [
  ["went away", 'exec "$@" 2> >(exit 0)'],
  ["reads nothing", 'exec "$@" 2> >(exec sleep 15 > /dev/null 2>&1)'],
];

test.for(readers)("the server answers all requests even if the reader of its log %s", async ([, shell]) => {
  await using server = await startServerProcess({
    wrapper: ["bash", "-c", shell, "bash"],
    env: { LOG_LEVEL: "debug" },
  });
  const [anna] = await server.createMembers("anna");
  // 600 requests fill the pipe of the log: a pipe holds 64 KiB, and a log line has about 200 bytes.
  for (let round = 0; round < 30; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => anna!.get("/api/checkLoginStatus")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  const ended = server.exited();
  server.signal("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
});

test("a start warns of each misspelt variable, in the environment and in its file, and does not log the value", async () => {
  const file = join(createTemporaryFolder(), "stammtisch.env");
  writeFileSync(file, "SMTP_URI=smtp://ben:hunter2@localhost\n");
  await using server = await startServerProcess({ env: { TRUSTPROXY: "127.0.0.1", STAMMTISCH_ENV_FILE: file } });
  const warnings = server.output.errors.split("\n").filter((line) => line.includes("unknown-variable"));
  expect(warnings.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: "warn", variable: "TRUSTPROXY", hint: "did you mean TRUST_PROXY?" }),
    expect.objectContaining({ level: "warn", variable: "SMTP_URI", hint: "did you mean SMTP_URL?" }),
  ]);
  expect(server.output.errors).not.toContain("hunter2");
});
