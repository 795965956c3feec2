import { expect, test, vi } from "vitest";

import type { Db } from "#server/db/connect.ts";
import { createLog } from "#server/platform/log.ts";
import { createSqliteBus } from "./bus-sqlite.ts";

test("the SQLite bus reports a gap (missed messages) when another process writes to the database", async () => {
  let onWrite = () => {};
  const endWatch = vi.fn();
  const bus = createSqliteBus((listener) => {
    onWrite = listener;
    return endWatch;
  }, createLog("error"));
  const onGap = vi.fn();
  bus.onGap(onGap);
  await bus.send({} as Db, { kind: "access", userId: 1 });
  expect(onGap).not.toHaveBeenCalled();
  onWrite();
  expect(onGap).toHaveBeenCalledOnce();
  await bus.close();
  expect(endWatch).toHaveBeenCalledOnce();
});

test("a listener that fails after the commit does not make the change fail", async () => {
  const lines: string[] = [];
  const bus = createSqliteBus(
    () => () => {},
    createLog("error", (line) => void lines.push(line)),
  );
  const heard = vi.fn();
  bus.onMessage(() => {
    throw new TypeError("broken");
  });
  bus.onMessage(heard);
  await bus.send({} as Db, { kind: "access", userId: 1 });
  expect(heard).toHaveBeenCalledOnce();
  expect(lines.join()).toContain("bus-message-failed");
});
