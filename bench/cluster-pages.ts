import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { network, traffic } from "./cluster-browser.ts";
import { createBaselinePage, createPage, type Page } from "./cluster-page.ts";
import type { Target } from "./cluster-targets.ts";

/** Number of pages that load at the same time. */
const opensAtOnce = 50;
/** Longer than the pause between two reloads of a page, in which nothing is pending. */
const longestPauseMs = 700;
const timeoutMs = 180_000;

/** Times of performance.now() at which the pages reached a state, in ascending order. */
export type PageTimes = readonly number[];

interface Wait {
  readonly missing: Set<Page>;
  readonly times: number[];
  isReached(page: Page): boolean;
  finish(): void;
}

/** The open pages of all members of a target. */
export class Pages implements Disposable {
  readonly all: readonly Page[];
  /** Keys of all acknowledged taps. */
  readonly keys: string[] = [];
  /** Time of the last change of any page. */
  lastChange = 0;
  readonly #waits = new Set<Wait>();

  constructor({ isBaseline, host, instances, members }: Target) {
    Object.assign(network, { host, ports: instances.map(({ port }) => port) });
    const create = isBaseline ? createBaselinePage : createPage;
    this.all = members.map((member) => create(member, (page) => this.#handleChange(page)));
  }

  /** The newest total that a page knows. */
  get total(): number {
    return Math.max(...this.all.map(({ total }) => total));
  }

  async open(): Promise<void> {
    const closed = [...this.all];
    const openSome = async () => {
      for (let page = closed.pop(); page !== undefined; page = closed.pop()) await page.open();
    };
    await Promise.all(Array.from({ length: opensAtOnce }, openSome));
  }

  /** Books a beer of one of the members; the next `index` is another member. */
  async tap(index: number): Promise<void> {
    const key = randomUUID();
    await this.all[index % this.all.length]!.tap(key);
    this.keys.push(key);
  }

  /** Resolves once each page has reached a state. */
  async whenAll(isReached: (page: Page) => boolean): Promise<PageTimes> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const wait: Wait = { missing: new Set(this.all), times: [], isReached, finish: resolve };
    const fail = () => reject(new Error(`${wait.missing.size} pages do not reach ${isReached.toString()}.`));
    const timer = setTimeout(fail, timeoutMs);
    this.#waits.add(wait);
    for (const page of this.all) check(wait, page);
    await promise;
    this.#waits.delete(wait);
    clearTimeout(timer);
    return wait.times;
  }

  /** Resolves once no page waits for an answer or has planned a request. */
  async whenIdle(): Promise<void> {
    do {
      await this.whenAll(({ pending }) => pending === 0);
      await sleep(longestPauseMs);
    } while (this.all.some(({ pending }) => pending > 0));
  }

  [Symbol.dispose](): void {
    for (const page of this.all) page.close();
  }

  #handleChange(page: Page): void {
    this.lastChange = performance.now();
    for (const wait of this.#waits) check(wait, page);
  }
}

function check(wait: Wait, page: Page): void {
  if (!wait.missing.has(page) || !wait.isReached(page)) return;
  wait.missing.delete(page);
  wait.times.push(performance.now());
  if (wait.missing.size === 0) wait.finish();
}

/** Returns the requests and received KiB of all pages during `work`, divided by `count`. */
export async function countTraffic(count: number, unit: string, work: () => Promise<unknown>) {
  const before = { ...traffic };
  await work();
  return {
    [`requests / ${unit}`]: (traffic.requests - before.requests) / count,
    [`HTTP KiB / ${unit}`]: (traffic.httpBytes - before.httpBytes) / 1024 / count,
    [`socket KiB / ${unit}`]: (traffic.socketBytes - before.socketBytes) / 1024 / count,
  };
}
