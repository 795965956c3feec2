import { expect, test } from "vitest";

import { endWithTest } from "#test/cleanup.ts";
import { found, type Observation } from "./driver.ts";
import { watchByPolling } from "./poll.ts";

test("watchByPolling inspects a game server again after a failed inspection", async () => {
  const answers: (Observation | Error)[] = [
    new Error("too many open files"),
    found({ isAlive: true, status: "running" }),
  ];
  const changes: (readonly number[] | "all")[] = [];
  const end = new AbortController();
  endWithTest(async () => end.abort());
  const inspect = async () => {
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  watchByPolling(inspect, 1)(
    () => [{ id: 7, ref: "keller", graceSeconds: null }],
    (ids) => changes.push(ids),
    end.signal,
  );
  await expect.poll(() => changes).toEqual([[7], [7]]);
});
