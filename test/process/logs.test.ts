import { expect, test } from "vitest";

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
