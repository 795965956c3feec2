// Measures how N instances serve the open pages of M members, against one instance and against bare
// ws sockets that get the same events (baseline-server.ts):
//
// npm run bench -- cluster [presence] [taps] [burst] [restart] [kill]
//   [--instances N] [--members M] [--database sqlite|postgres]
//
// Several instances need PostgreSQL. All pages run in this process, on the same cores as the servers.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { peakMemoryOf, processorTimeOf } from "#test/faults/process-stats.ts";
import { percentile } from "#test/faults/report.ts";
import type { DatabaseKind } from "#test/process/server-process.ts";
import { installBrowser, network, traffic } from "./cluster-browser.ts";
import { Pages, type PageTimes } from "./cluster-pages.ts";
import { startBareSockets, startInstances, type Instance, type Target } from "./cluster-targets.ts";
import { printTable } from "./measure.ts";

/** The columns of a target's row. The ratios compare the first number. */
type Row = Record<string, number>;

interface Action {
  readonly title: string;
  measure(target: Target, pages: Pages): Promise<Row>;
}

/** The actions in the order in which they run. */
const actions = {
  presence: { title: "All members open a page, 50 at a time", measure: measurePresence },
  taps: { title: "Two beers a second", measure: measureTaps },
  burst: { title: "200 beers at once", measure: measureBurst },
  restart: {
    title: "SIGTERM and start of all instances until the pages are subscribed again",
    measure: measureRestart,
  },
  kill: { title: "kill -9 of one instance during 50 beers until all pages are current", measure: measureKill },
} satisfies Record<string, Action>;

type ActionName = keyof typeof actions;

export async function measureCluster(args: readonly string[]): Promise<void> {
  const { instances, members, database, names } = readArguments(args);
  installBrowser();
  const rows: Record<string, Record<string, Row>> = {};
  const memory: Record<string, string>[] = [];
  const starts = [async () => startBareSockets(members), async () => startInstances(1, database, members)];
  if (instances > 1) starts.push(async () => startInstances(instances, database, members));
  for (const start of starts) {
    await using target = await start();
    using pages = new Pages(target);
    const peaks: number[][] = [];
    // The other actions need the pages that the first one opens.
    for (const name of new Set<ActionName>(["presence", ...names])) {
      if (name === "kill" && target.isBaseline) continue;
      peaks.push(target.instances.map(({ pid }) => peakMemoryOf(pid)));
      const row = await actions[name].measure(target, pages);
      if (names.includes(name)) (rows[name] ??= {})[target.name] = row;
      await pages.whenIdle();
    }
    peaks.push(target.instances.map(({ pid }) => peakMemoryOf(pid)));
    const highest = target.instances.map((_, index) => Math.max(...peaks.map((all) => all[index]!)));
    memory.push({ target: target.name, "MiB of each instance": highest.join(", ") });
  }
  for (const name of names) printRows(`${actions[name].title}, ${members} pages`, rows[name]!);
  printTable("Peak memory", memory);
}

function readArguments(args: readonly string[]) {
  const options = {
    instances: { type: "string", default: "1" },
    members: { type: "string", default: "500" },
    database: { type: "string" },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [instances, members] = [Number(values.instances), Number(values.members)];
  const database: DatabaseKind = instances > 1 || values.database === "postgres" ? "postgres" : "sqlite";
  const all = Object.keys(actions) as ActionName[];
  const unknown = positionals.find((name) => !(name in actions));
  if (unknown) throw new Error(`There is no action “${unknown}”, only ${all.join(", ")}.`);
  return { instances, members, database, names: all.filter((name) => !positionals[0] || positionals.includes(name)) };
}

/** Prints a row per target, and the ratios of its first number to the first and second target. */
function printRows(title: string, rows: Record<string, Row>): void {
  const compared = Object.values(rows).map((row) => Object.values(row)[0]!);
  const others = Object.keys(rows).slice(0, -1);
  const shown = Object.entries(rows).map(([target, row], index) => ({
    target,
    ...row,
    ...Object.fromEntries(
      others.map((other, place) => [`/ ${other}`, index > place ? compared[index]! / compared[place]! : ""]),
    ),
  }));
  printTable(title, shown);
}

async function measurePresence(target: Target, pages: Pages): Promise<Row> {
  const began = performance.now();
  const subscribed = pages.whenAll(({ isSubscribed }) => isSubscribed);
  const counted = pages.whenAll(({ present }) => target.isBaseline || present === pages.all.length);
  const work = await countWork(target, pages, "page", pages.all.length, async () => {
    await Promise.all([pages.open(), subscribed, counted]);
  });
  const [open, complete] = [last(await subscribed) - began, last(await counted) - began];
  return { "all know the number, s": Math.max(open, complete) / 1000, "all open, s": open / 1000, ...work };
}

async function measureTaps(target: Target, pages: Pages): Promise<Row> {
  const before = pages.total;
  const answers: number[] = [];
  const known: number[] = [];
  async function tap(index: number): Promise<void> {
    await sleep(index * 500);
    const began = performance.now();
    const told = pages.whenAll(({ total }) => total > before + index);
    await pages.tap(index);
    answers.push(performance.now() - began);
    known.push(last(await told) - began);
  }
  const beers = Array.from({ length: 40 }, (_, index) => index);
  const work = await countWork(target, pages, "beer", beers.length, async () => Promise.all(beers.map(tap)));
  return {
    "all know p50, ms": percentile(known, 0.5),
    "all know p99": percentile(known, 0.99),
    "answer p50": percentile(answers, 0.5),
    "answer p99": percentile(answers, 0.99),
    ...work,
  };
}

async function measureBurst(target: Target, pages: Pages): Promise<Row> {
  const beers = Array.from({ length: 200 }, (_, index) => index);
  const newest = pages.total + beers.length;
  const began = performance.now();
  const known = pages.whenAll(({ total }) => total >= newest);
  let answeredAt = 0;
  const work = await countWork(target, pages, "beer", beers.length, async () => {
    await Promise.all(beers.map(async (index) => pages.tap(index)));
    answeredAt = performance.now();
    await known;
  });
  return {
    "all know all, ms": last(await known) - began,
    "all answered, ms": answeredAt - began,
    "all charts reloaded, s": (traffic.answeredAt - began) / 1000,
    ...work,
  };
}

/**
 * Returns the traffic and the processor time of the servers during `work` and the requests that
 * follow it, divided by `count`.
 */
async function countWork(target: Target, pages: Pages, unit: string, count: number, work: () => Promise<unknown>) {
  const workedMs = () => target.instances.reduce((sum, { pid }) => sum + processorTimeOf(pid), 0);
  const [before, worked] = [{ ...traffic }, workedMs()];
  await work();
  await pages.whenIdle();
  return {
    [`requests / ${unit}`]: (traffic.requests - before.requests) / count,
    [`HTTP KiB / ${unit}`]: (traffic.httpBytes - before.httpBytes) / 1024 / count,
    [`socket KiB / ${unit}`]: (traffic.socketBytes - before.socketBytes) / 1024 / count,
    [`server CPU ms / ${unit}`]: (workedMs() - worked) / count,
  };
}

async function measureRestart(target: Target, pages: Pages): Promise<Row> {
  const before = new Map(pages.all.map((page) => [page, page.connections]));
  const returned = pages.whenAll((page) => page.isSubscribed && page.connections > before.get(page)!);
  const began = performance.now();
  await Promise.all(target.instances.map(async (instance) => instance.end("SIGTERM")));
  await Promise.all(target.instances.map(async (instance) => instance.start()));
  return describeReturn(await returned, began);
}

async function measureKill(target: Target, pages: Pages): Promise<Row> {
  const [killed, ...others] = target.instances.toReversed() as [Instance, ...Instance[]];
  const before = pages.total;
  const beers = Array.from({ length: 50 }, (_, index) => index);
  const current = pages.whenAll(({ isSubscribed, total }) => isSubscribed && total >= before + beers.length);
  const booked = beers.map(async (index) => {
    await sleep(index * 10);
    await pages.tap(index);
  });
  await sleep(250);
  const began = performance.now();
  await killed.end("SIGKILL");
  // A proxy with health checks uses the other instances.
  if (others.length > 0) network.ports = others.map(({ port }) => port);
  else await killed.start();
  await Promise.all(booked);
  const row = describeReturn(await current, began);
  if (others.length > 0) await killed.start();
  network.ports = target.instances.map(({ port }) => port);
  await checkBooked(target, pages);
  return row;
}

function describeReturn(times: PageTimes, began: number): Row {
  const at = (share: number) =>
    percentile(
      times.map((time) => time - began),
      share,
    ) / 1000;
  return { "all pages, s": at(1), "99 % of pages, s": at(0.99), "50 % of pages, s": at(0.5) };
}

/** Throws if an acknowledged beer is lost or booked twice. */
async function checkBooked(target: Target, pages: Pages): Promise<void> {
  const booked = await target.listBookedKeys();
  const kept = new Set(booked);
  const lost = pages.keys.filter((key) => !kept.has(key)).length;
  const doubled = booked.length - kept.size;
  const isCounted = pages.total === booked.length;
  if (lost > 0 || doubled > 0 || !isCounted) throw new Error(`${target.name}: ${lost} beers lost, ${doubled} doubled.`);
  process.stdout.write(`${target.name}: all ${pages.keys.length} acknowledged beers are booked once.\n`);
}

function last(times: PageTimes): number {
  return times.at(-1)!;
}
