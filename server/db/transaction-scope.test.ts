import { setImmediate as nextTurn } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { beercounterUpdated } from "#contract/beercounter.ts";
import { createTestApp } from "#test/test-app.ts";
import { type Db, inTransaction } from "./connect.ts";

const { channel, name } = beercounterUpdated;
const update = { counterVal: 1, userId: null, userName: null, avatarId: null, version: 1 };

const app = await createTestApp();
const { bus, realtime, say } = app.context;

describe("messages of a transaction", () => {
  const waysToPublish: [call: string, publish: (db: Db) => Promise<void>][] = [
    ["realtime.publish()", (db) => realtime.publish(db, name, channel, update)],
    ["say.event()", (db) => say(db, null).event(beercounterUpdated, update)],
    ["say.access()", (db) => say(db, null).access({ userId: 1 })],
    ["realtime.accessChanged()", (db) => realtime.accessChanged(db, { userId: 1 })],
    ["realtime.sessionRotated()", (db) => realtime.sessionRotated(db, "old", "new")],
    ["bus.send()", (db) => bus.send(db, { kind: "feature", feature: "test", data: {} })],
  ];
  const heard: string[] = [];
  bus.onMessage(({ kind }) => heard.push(kind));

  test.each(waysToPublish)(
    "a message from %s is delivered after the commit and before inTransaction() resolves",
    async (_, publish) => {
      heard.length = 0;
      await inTransaction(app.db, async (tx) => {
        await publish(tx);
        await nextTurn();
        expect(heard).toEqual([]);
      });
      expect(heard).toHaveLength(1);
    },
  );

  test.each(waysToPublish)("a message from %s is not delivered after a rollback", async (_, publish) => {
    heard.length = 0;
    const failing = inTransaction(app.db, async (tx) => {
      await publish(tx);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await nextTurn();
    expect(heard).toEqual([]);
  });

  test.each(waysToPublish)(
    "%s throws inside a transaction if it gets the database instead of the transaction as its argument",
    async (_, publish) => {
      const writing = inTransaction(app.db, () => publish(app.db));
      await expect(writing).rejects.toThrow("needs the transaction");
    },
  );
});
