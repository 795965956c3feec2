import { expect, test, vi } from "vitest";

import { createLog } from "./log.ts";

function lines(fields: Record<string, unknown>): string[] {
  const written: string[] = [];
  createLog("info", (line) => void written.push(line)).warn("something", fields);
  return written;
}

test("a log line is one line of JSON even if a field contains line breaks and control characters", () => {
  const [line = "", ...more] = lines({ path: 'a\r\nb\u001b[31m"\u0000', at: 7 });
  expect(more).toEqual([]);
  expect(line.match(/\p{Cc}/u)).toBeNull();
  expect(JSON.parse(line)).toMatchObject({ level: "warn", event: "something", path: 'a\r\nb\u001b[31m"\u0000', at: 7 });
});

test("a log line that is too long is shortened to valid JSON with its level and event", () => {
  const [line = ""] = lines({ text: '"'.repeat(1_000_000) });
  expect(line.length).toBeLessThanOrEqual(8192);
  expect(JSON.parse(line)).toMatchObject({ level: "warn", event: "something", cut: expect.stringMatching(/^\{/) });
});

test("log lines of the levels debug and info are written together after 50 ms, or at once with the next warning or error", () => {
  vi.useFakeTimers();
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const takeEvents = () => {
    const text = write.mock.calls.map(([part]) => part).join("");
    write.mockClear();
    return [...text.matchAll(/"event":"(\w+)"/g)].map(([, event]) => event);
  };
  const log = createLog("debug");
  log.info("one");
  log.debug("two");
  vi.advanceTimersByTime(49);
  expect(takeEvents()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(takeEvents()).toEqual(["one", "two"]);

  log.info("three");
  log.warn("four");
  expect(takeEvents()).toEqual(["three", "four"]);
  log.error("five");
  expect(takeEvents()).toEqual(["five"]);
});

test("pending log lines are written when the process exits", () => {
  vi.useFakeTimers();
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const before = process.listeners("exit");
  const log = createLog("info");
  log.info("one");
  log.info("two");
  const [atExit, ...more] = process.listeners("exit").filter((listener) => !before.includes(listener));
  expect(more).toEqual([]);
  atExit!(0);
  expect(write.mock.calls.join("")).toMatch(/"event":"one".*\n.*"event":"two"/);
  expect(process.listeners("exit")).toEqual(before);
});
