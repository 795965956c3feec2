import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import type { Client, ClientResponse } from "#test/client.ts";
import { counters, tap } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { createDroppingProxy } from "./dropping-proxy.ts";
import { databases, report } from "./report.ts";

const keys = 1000;
const senders = 5;
const keysAtOnce = 20;

test.for(databases)(
  "each idempotency key books one beer, even if it is sent repeatedly and many answers are lost (%s)",
  async (db) => {
    await using server = await startServerProcess({ database: db });
    const [anna, bert] = (await server.createMembers("anna", "bert")) as [Client, Client];
    await using proxy = await createDroppingProxy(server.port, 0.3);
    const through = anna.through(proxy.port, { connection: "close" });

    const statuses = new Map<number, number>();
    const waiting = Array.from({ length: keys }, () => randomUUID());
    const sent = [...waiting];
    let unequal = 0;
    let bookedTwice = 0;
    async function send(key: string): Promise<ClientResponse> {
      for (;;) {
        const answer = await tap(through, key).catch(() => null);
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
        if (answer?.status === 200) return answer;
      }
    }
    async function work(): Promise<void> {
      for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
        const sending = key;
        const answers = await Promise.all(Array.from({ length: senders }, async () => send(sending)));
        if (new Set(answers.map(({ text }) => text)).size > 1) unequal += 1;
        if (answers.filter(({ headers }) => headers["idempotent-replayed"] !== "true").length > 1) bookedTwice += 1;
      }
    }
    await Promise.all(Array.from({ length: keysAtOnce }, work));
    const { KSKCounterVal } = (await anna.get(counters)).json;
    report(
      "T002",
      {
        keys,
        beers: KSKCounterVal,
        "answers lost": proxy.dropped,
        "told to wait": statuses.get(409) ?? 0,
        unequal,
      },
      "1000 keys are 1000 beers, all answers to a key are equal",
      db,
    );
    expect([KSKCounterVal, unequal, bookedTwice]).toEqual([keys, 0, 0]);
    expect(proxy.dropped).toBeGreaterThan(keys);
    expect([...statuses.keys()].every((status) => [0, 200, 409].includes(status))).toBe(true);

    expect((await tap(bert, sent[0]!)).json, "somebody else's equal key is another beer").toEqual({
      KSKCounterVal: keys + 1,
      userCounterVal: 1,
    });
  },
);
