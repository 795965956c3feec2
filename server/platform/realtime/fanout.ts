import { type Connection, sendFrame } from "./connection.ts";
import type { Hub } from "./hub.ts";

/**
 * Maximum sends per turn of the event loop. They take about 5 ms; other requests are handled in
 * between.
 */
const sendsPerTurn = 512;

/**
 * Number of queued broadcasts from which on a further broadcast replaces the oldest unsent one of
 * the same channel and event, if any. The newest broadcast thus always arrives.
 */
const maxWaiting = 256;

interface Job {
  readonly channel: string;
  readonly event: string;
  readonly frame: Buffer;
  readonly targets: readonly Connection[];
  sent: number;
}

/**
 * Functions that send frames to all subscribers of a channel, in the order of the calls and never
 * synchronously.
 */
export interface Fanout {
  /** Sends to all subscribers of the channel, or only to those in `to`. */
  send(message: { channel: string; event: string; frame: string; to?: readonly Connection[] }): void;
  /** Resolves once all queued broadcasts were written to the sockets. */
  flushed(): Promise<void>;
}

export function createFanout(hub: Hub): Fanout {
  const jobs: Job[] = [];
  const onFlushed: (() => void)[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(sendSome);
  }

  function sendSome(): void {
    isScheduled = false;
    let left = sendsPerTurn;
    for (let job = jobs[0]; job && left > 0; job = jobs[0]) {
      const end = Math.min(job.sent + left, job.targets.length);
      left -= end - job.sent;
      for (; job.sent < end; job.sent += 1) {
        const target = job.targets[job.sent];
        // Skips connections that left the channel after `send` was called, e.g. because they lost
        // the permission.
        if (target && hub.inChannel(job.channel).has(target)) sendFrame(target, job.frame);
      }
      if (job.sent === job.targets.length) jobs.shift();
    }
    if (jobs.length > 0) schedule();
    else for (const done of onFlushed.splice(0)) done();
  }

  return {
    send: ({ channel, event, frame, to }) => {
      const targets = to ?? [...hub.inChannel(channel)];
      if (targets.length === 0) return;
      if (jobs.length >= maxWaiting) dropOldest(jobs, channel, event);
      jobs.push({ channel, event, frame: Buffer.from(frame), targets, sent: 0 });
      schedule();
    },
    flushed: () => (jobs.length === 0 ? Promise.resolve() : new Promise((resolve) => onFlushed.push(resolve))),
  };
}

function dropOldest(jobs: Job[], channel: string, event: string): void {
  const index = jobs.findIndex((job) => job.sent === 0 && job.channel === channel && job.event === event);
  if (index >= 0) jobs.splice(index, 1);
}
