import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, test } from "vitest";

import { beercounterUpdated } from "#contract/beercounter.ts";
import { createTestApp } from "#test/test-app.ts";
import { inTransaction } from "./connect.ts";

const { channel, name } = beercounterUpdated;
const update = { counterVal: 1, userId: null, userName: null, avatarId: null, version: 1 };
const notification = { kind: "beers", senderId: null, body: "Anna trinkt." } as const;

const app = await createTestApp();

const waysToPublish: [call: string, publish: () => unknown][] = [
  ["realtime.publish()", () => app.context.realtime.publish(name, channel, update)],
  ["realtime.accessChanged()", () => app.context.realtime.accessChanged({ userId: 1 })],
  ["realtime.sessionRotated()", () => app.context.realtime.sessionRotated("old", "new")],
  ["bus.send()", () => app.context.bus.send({ kind: "resync" })],
  ["push.send()", () => app.context.push.send([])],
  ["notifyMembers()", () => app.context.notifyMembers(notification)],
];

test.each(waysToPublish)(
  "%s throws inside a transaction and says how to call it after the commit, even in a later turn of the event loop",
  async (call, publish) => {
    const writing = inTransaction(app.db, async () => {
      await nextTurn();
      await publish();
    });
    await expect(writing).rejects.toThrow(`${call} was called inside a transaction. Return what it needs`);
  },
);

test.each(waysToPublish)("%s does not throw after a transaction has ended", async (_, publish) => {
  await inTransaction(app.db, async () => {});
  await publish();
});
