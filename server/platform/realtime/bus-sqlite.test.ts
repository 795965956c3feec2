import { expect, test, vi } from "vitest";

import type { Db } from "#server/db/connect.ts";
import { createSqliteBus } from "./bus-sqlite.ts";

test("the SQLite bus reports a gap (missed messages) when another process writes to the database", async () => {
  let onWrite = () => {};
  const endWatch = vi.fn();
  const bus = createSqliteBus((listener) => {
    onWrite = listener;
    return endWatch;
  });
  const onGap = vi.fn();
  bus.onGap(onGap);
  await bus.send({} as Db, { kind: "access", userId: 1 });
  expect(onGap).not.toHaveBeenCalled();
  onWrite();
  expect(onGap).toHaveBeenCalledOnce();
  await bus.close();
  expect(endWatch).toHaveBeenCalledOnce();
});
