// Two instances of the server with REALTIME_URL and a real Pusher-compatible service.
import { expect, test } from "vitest";

import { freePort } from "#test/free-port.ts";
import { startTwoInstances } from "#test/process/server-process.ts";
import { connectMember, startSoketi } from "./soketi.ts";

/** Maximum wait for the sweep, which one instance runs every minute. */
const sweep = { timeout: 90_000 };

test(
  "the total of an instance that cannot reach the service and is killed reaches pages through the other instance",
  { timeout: 240_000 },
  async () => {
    const soketi = await startSoketi();
    await using instances = await startTwoInstances({ REALTIME_URL: soketi.url });
    const { one, other } = instances;
    await other.kill();
    other.env["REALTIME_URL"] = soketi.url.replace(`:${soketi.port}/`, `:${await freePort()}/`);
    await other.start();
    const [anna] = await one.createMembers("anna");
    const { messages } = await connectMember(soketi, anna!);
    const totals = () => messages.filter(({ event }) => event === "updated").map(({ data }) => data.counterVal);
    const drinkAt = async ({ port }: { readonly port: number }) =>
      (await anna!.through(port).post("/api/beercounter/counters")).status;
    expect(await drinkAt(one)).toBe(200);
    await expect.poll(totals).toEqual([1]);
    expect(await drinkAt(other)).toBe(200);
    await other.kill();
    await expect.poll(totals, sweep).toEqual([1, 2]);
  },
);
