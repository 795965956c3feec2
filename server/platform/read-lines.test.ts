import { expect, test } from "vitest";

import { LineTooLongError, readLines } from "./read-lines.ts";

async function* endless(): AsyncGenerator<Buffer> {
  yield Buffer.from("12345\n123");
  for (;;) yield Buffer.from("456");
}

test("readLines stops reading within a line that exceeds the limit", async () => {
  const lines = readLines(endless(), (line) => (line === 0 ? 5 : 20));
  expect((await lines.next()).value).toBe("12345");
  await expect(lines.next()).rejects.toThrow(LineTooLongError);
});

test("readLines rejects a line above the limit even if the line arrives in one chunk", async () => {
  async function* received() {
    yield Buffer.from("123456\n");
  }
  await expect(readLines(received(), () => 5).next()).rejects.toThrow(LineTooLongError);
});
