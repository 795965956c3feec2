import { vi } from "vitest";

import { endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { connectPusher, type Present } from "#web/client/pusher.ts";

/** The realtime connection of the web app. */
export interface Page {
  /** The data of all events of the counter, in order. */
  readonly beers: readonly { readonly counterVal: number; readonly version: number }[];
  /** Returns the present members, as they were last reported. */
  present(): Present | undefined;
  /** Number of (re)connections to the channel of the counter. */
  joined(): number;
  readonly onAccessChanged: () => void;
}

/** Opens the realtime connection of the web app, as a page of this member does. Only one per test. */
export async function openPage(member: Client): Promise<Page> {
  const { realtime: address } = (await member.get("/api/config")).json;
  const content = Object.assign(new EventTarget(), {
    visibilityState: "visible",
    cookie: `XSRF-TOKEN=${encodeURIComponent(member.csrfToken)}`,
    querySelector: () => null,
  });
  vi.stubGlobal("document", content);
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("location", new URL("http://localhost:3000"));
  const request = fetch;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (!url.startsWith(location.origin)) return request(url, init);
    const body = Object.fromEntries(init.body as URLSearchParams);
    const { status, json } = await member.post(url.slice(location.origin.length), body);
    return Response.json(json, { status });
  });

  const beers: Page["beers"][number][] = [];
  const presences: Present[] = [];
  let joined = 0;
  const onAccessChanged = vi.fn();
  const client = connectPusher({
    address,
    onConnectionChange() {},
    onMessage(channel, event, data) {
      if (channel === "presence-stammtisch") presences.push(data as Present);
      else if (channel !== "private-beercounter") return;
      else if (event === "updated") beers.push(data as Page["beers"][number]);
      else if (event === "pusher:subscription_succeeded") joined += 1;
    },
    renewToken: async () => {},
    onSessionEnded() {},
    onAccessChanged,
  });
  for (const channel of ["private-beercounter", "presence-stammtisch"]) client.subscribe(channel);
  endWithTest(async () => client.disconnect());
  return { beers, present: () => presences.at(-1), joined: () => joined, onAccessChanged };
}
