import { setTimeout as sleep } from "node:timers/promises";

import * as beercounter from "#contract/beercounter.ts";
import { getOwnDoors } from "#contract/calendar-lottery.ts";
import { getCalendarNotices } from "#contract/calendar-notices.ts";
import { presenceChannel, userChannelPrefix } from "#contract/event.ts";
import { gameServersUpdated } from "#contract/game-servers.ts";
import { getRunningParties } from "#contract/party.ts";
import { getReviewYears } from "#contract/year-review.ts";
import { connectPusher, type Present, type PusherConnection } from "#web/client/pusher.ts";
import { reconnectDelay } from "#web/client/reconnect.ts";
import { throttle } from "#web/client/throttle.ts";
import * as rules from "#web/features/beers/counter-rules.ts";
import { PageSocket, runAs, send, type Answer } from "./cluster-browser.ts";
import type { PageMember } from "./cluster-members.ts";

export type Page = Readonly<ReturnType<typeof createPage>>;

type Subscribed = Partial<beercounter.SubscribedCounters>;

const counterChannel = beercounter.beercounterUpdated.channel;
const channels = [counterChannel, gameServersUpdated.channel, presenceChannel, userChannelPrefix];
const address = { key: "stammtisch", cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: false };
/** Milliseconds between two reloads, as in web/features/beers/api.ts. */
const reloadPauseMs = 500;
/** Milliseconds before a failed request is repeated. */
const retryMs = 1000;

/**
 * Creates a page of the counter. It has the realtime client of our pages, and sends the requests that
 * web/features/beers/live.ts and the background effects of other features send after an event.
 */
export function createPage(member: PageMember) {
  const page = {
    /** The group's total and the number of present members, as the page knows them. */
    total: 0,
    present: 0,
    /** `true` while the page is subscribed to all its channels, and how often that was reached. */
    isSubscribed: false,
    connections: 0,
    /** Number of requests that the page waits for or has planned. */
    pending: 0,
    open: async () => runAs(member, open),
    /** Books a beer. Repeats the request with the same key until it is acknowledged. */
    tap: async (key: string) => runAs(member, async () => tap(key)),
    close: () => client?.disconnect(),
  };
  const etags = new Map<string, string>();
  const joined = new Set<string>();
  let client: PusherConnection | undefined;
  let counters: rules.CounterState | undefined;
  let lastVersion = 0;

  async function open(): Promise<void> {
    await read("/beercounter");
    client = connectPusher({
      address,
      onConnectionChange: (isOnline) => isOnline || leave(),
      onMessage: handleMessage,
      renewToken: async () => undefined,
      onSessionEnded: () => fail("A session has ended."),
      onAccessChanged: () => fail("A channel was refused."),
    });
    for (const channel of channels) client.subscribe(channel);
    await readCounters();
    await Promise.all([readStats(), read(getReviewYears.path), read(getOwnDoors.path)]);
  }

  function leave(): void {
    joined.clear();
    page.isSubscribed = false;
  }

  function handleMessage(channel: string, event: string, data: unknown): void {
    if (event === "pusher:subscription_succeeded") handleSubscription(channel, data as Subscribed);
    if (channel === presenceChannel) page.present = (data as Present).count;
    if (event === beercounter.beercounterUpdated.name) showChange(data as beercounter.CounterEvent);
  }

  function handleSubscription(channel: string, { version, counters: sent }: Subscribed): void {
    joined.add(channel);
    if (joined.size === channels.length && !page.isSubscribed) {
      page.isSubscribed = true;
      page.connections += 1;
    }
    if (channel === userChannelPrefix) void readAll([getOwnDoors.path, getCalendarNotices.path]);
    if (channel !== counterChannel) return;
    lastVersion = version ?? lastVersion;
    if (counters && counters.group.version === version && !rules.isOutdated(counters)) return;
    if (counters && version !== undefined && sent && version >= counters.group.version) {
      const reply = { ...beercounter.toTotals(sent), version };
      setCounters(rules.applyFetched(counters, reply, counters.group.version));
    } else reloadCounters();
    reloadStats();
    void readAll([beercounter.getLatestBeer.path]);
  }

  async function readAll(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map(async (path) => read(path)));
  }

  function showChange(event: beercounter.CounterEvent): void {
    if (event.version <= lastVersion) return;
    const isComplete = event.since !== undefined && event.since <= lastVersion;
    lastVersion = event.version;
    const own = rules.findOwnCount(event, { ...member, isRanked: true }, isComplete);
    if (counters) setCounters(rules.applyEvent(counters, event, own));
    if (!isComplete) reloadStats();
    if (counters && rules.isOutdated(counters)) reloadCounters();
  }

  async function tap(key: string): Promise<void> {
    const { tapHeaders, drinkBeer } = beercounter;
    const headers = { [tapHeaders.key]: key, [tapHeaders.age]: "0", [tapHeaders.member]: String(member.id) };
    if (counters) counters = rules.addTap(counters);
    const answer = await track(ask("POST", drinkBeer.path, headers));
    if (counters) setCounters(rules.answerTap(counters, toReply(answer)));
    if (counters && rules.isOutdated(counters)) reloadCounters();
  }

  const reloadCounters = throttle(readCounters, reloadPauseMs);
  const reloadStats = throttle(readStats, reloadPauseMs);

  async function readCounters(): Promise<void> {
    const askedAt = counters?.group.version ?? 0;
    const reply = toReply(await read(beercounter.getCounters.path));
    setCounters(rules.applyFetched(counters ?? rules.createCounterState(reply), reply, askedAt));
  }

  function setCounters(next: rules.CounterState): void {
    counters = next;
    page.total = next.group.value;
  }

  async function readStats(): Promise<void> {
    const near = `${beercounter.getDrinkers.path}?range=near`;
    const conditional = [near, beercounter.getTimelyStats.path].map(async (path) => {
      const { etag } = (await read(path, { "if-none-match": etags.get(path) ?? "" })).headers;
      if (etag !== undefined) etags.set(path, etag);
    });
    await Promise.all([...conditional, read(getRunningParties.path)]);
  }

  async function read(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return track(ask("GET", path, headers));
  }

  async function track<Result>(work: Promise<Result>): Promise<Result> {
    page.pending += 1;
    const result = await work;
    page.pending -= 1;
    return result;
  }

  return page;
}

/** Sends a request, and repeats it until the server has answered. */
async function ask(method: "GET" | "POST", path: string, headers: Record<string, string>): Promise<Answer> {
  for (;;) {
    const answer = await send(method, path, headers).catch(() => null);
    const status = answer?.status ?? 503;
    if (answer && status < 400) return answer;
    if (status < 500 && status !== 409) fail(`${method} ${path}: ${status} ${answer?.text}`);
    await sleep(retryMs);
  }
}

function toReply({ text, headers }: Answer): rules.TapReply {
  const version = Number(headers[beercounter.countersVersionHeader.toLowerCase()] ?? 0);
  return { ...beercounter.toTotals(JSON.parse(text)), version: version || null, isReplayed: version === 0 };
}

/** Ends the measurement, because its numbers would be worthless. */
function fail(message: string): never {
  throw new Error(message);
}

/** Creates a page of the baseline: a socket that reconnects after the delays of our pages. */
export function createBaselinePage(member: PageMember): Page {
  const page = {
    ...{ total: 0, present: 0, isSubscribed: false, connections: 0, pending: 0 },
    open: async () => connect(),
    tap: async (key: string) =>
      void (await runAs(member, () => ask("POST", "/", { [beercounter.tapHeaders.key]: key }))),
    close: () => socket?.removeAllListeners().terminate(),
  };
  let socket: PageSocket | undefined;
  let attempts = 0;

  function connect(): void {
    socket = runAs(member, () => new PageSocket("ws://localhost/"));
    socket.on("open", () => {
      attempts = 0;
      page.connections += 1;
      page.isSubscribed = true;
    });
    socket.on("message", (message: Buffer) => {
      const { data } = JSON.parse(message.toString()) as { data: string };
      page.total = Math.max(page.total, (JSON.parse(data) as beercounter.CounterEvent).counterVal);
    });
    socket.on("close", () => {
      page.isSubscribed = false;
      setTimeout(connect, reconnectDelay(attempts++));
    });
  }

  return page;
}
