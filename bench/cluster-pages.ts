import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { network } from "./cluster-browser.ts";
import { createBaselinePage, createPage, type Page } from "./cluster-page.ts";
import type { Target } from "./cluster-targets.ts";

/** Number of pages that load at the same time. */
const opensAtOnce = 50;
/** Milliseconds between two looks at the pages, and so the precision of the measured times. */
const pollMs = 2;
/** Longer than the pause between two reloads of a page, in which nothing is pending. */
const longestPauseMs = 700;
const timeoutMs = 300_000;

/** Times of performance.now() at which the pages reached a state, in ascending order. */
export type PageTimes = readonly number[];

/** The open pages of all members of a target. */
export class Pages implements Disposable {
  readonly all: readonly Page[];
  /** Keys of all acknowledged taps. */
  readonly keys: string[] = [];

  constructor({ isBaseline, host, instances, members }: Target) {
    Object.assign(network, { host, ports: instances.map(({ port }) => port) });
    this.all = members.map(isBaseline ? createBaselinePage : createPage);
  }

  /** The newest total that a page knows. */
  get total(): number {
    return Math.max(...this.all.map(({ total }) => total));
  }

  async open(): Promise<void> {
    const closed = [...this.all];
    async function openSome(): Promise<void> {
      for (let page = closed.pop(); page !== undefined; page = closed.pop()) await page.open();
    }
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
    const began = performance.now();
    const times: number[] = [];
    let missing = this.all;
    for (;;) {
      missing = missing.filter((page) => !isReached(page));
      const now = performance.now();
      while (times.length < this.all.length - missing.length) times.push(now);
      if (missing.length === 0) return times;
      if (now - began > timeoutMs) throw new Error(`${missing.length} pages do not reach ${isReached.toString()}.`);
      await sleep(pollMs);
    }
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
}
