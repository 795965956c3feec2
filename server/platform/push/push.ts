import type { Permission } from "#contract/endpoint.ts";
import type { Config } from "#server/config.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Log } from "#server/platform/log.ts";
import type { Secrets } from "#server/platform/secrets.ts";
import type { PushTarget } from "./endpoint.ts";
import { ForbiddenAddressError, ssrfSafePost, type Resolve, resolveBySystem } from "./ssrf-safe-post.ts";
import { createPushQueue } from "./queue.ts";
import { encryptMessage } from "./encryption.ts";
import { createVapidSigner } from "./vapid.ts";

/** What one browser is told. */
export interface PushMessage {
  /** JSON, at most 3 KiB. */
  readonly payload: string;
  /** At most 32 characters of base64url: of two messages with the same one a browser that was away gets the newer. */
  readonly topic: string;
  /** Epoch ms; worth nothing after it. */
  readonly expiresAt: number;
}

/** A message on its way to one subscription. */
export interface PushJob extends PushMessage {
  readonly subscriptionId: number;
  /** What its member must still be allowed when it is sent. */
  readonly permission: Permission | null;
}

/**
 * How it went. `gone`: the browser wants no more. `unauthorised`: it was promised to other keys than ours. `refused`: asking
 * again would not help. `later`: it might, at the earliest after `retryAfterMs`.
 */
export type PushOutcome =
  | { readonly kind: "delivered" | "gone" | "unauthorised" | "refused" }
  | { readonly kind: "later"; readonly retryAfterMs: number };

/** Sends to browsers through the push services of their makers. */
export interface Push {
  /** Joins the queue and returns at once; what does not fit any more is dropped. */
  send(jobs: readonly PushJob[]): void;
  /** Sends one message now; never rejects. */
  deliver(target: PushTarget, message: PushMessage): Promise<PushOutcome>;
  /** Stops for good; resolves to what was not sent. */
  close(): Promise<PushJob[]>;
}

export interface PushOptions {
  readonly config: Config;
  readonly vapid: Secrets["vapid"];
  readonly clock: Clock;
  readonly log: Log;
  /** Whom a job is for at this moment; null where nobody may have it any more. */
  readonly findTarget: (job: PushJob) => Promise<PushTarget | null>;
  /** Hears how it ended; `later` here means that it was tried often enough. */
  readonly recordDelivery: (job: PushJob, outcome: PushOutcome["kind"]) => Promise<void>;
  readonly resolve?: Resolve;
}

export function createPush({ config, vapid, clock, log, findTarget, recordDelivery, ...options }: PushOptions): Push {
  const { resolve = resolveBySystem } = options;
  const authorize = createVapidSigner(vapid, config.pushSubject, clock);
  const stop = new AbortController();

  async function deliver(target: PushTarget, { payload, topic, expiresAt }: PushMessage): Promise<PushOutcome> {
    const { origin, host } = new URL(target.endpoint);
    const ttl = Math.max(0, Math.floor((expiresAt - clock.now()) / 1000));
    try {
      const answer = await ssrfSafePost(
        target.endpoint,
        {
          headers: {
            authorization: authorize(origin),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            ttl,
            topic,
            urgency: "normal",
          },
          body: encryptMessage(payload, target),
        },
        { resolve, mayBePrivate: config.pushAllowPrivate, stop: stop.signal },
      );
      const outcome = toOutcome(answer.status, answer.retryAfter, clock.now());
      if (outcome.kind !== "delivered") log.info("push-answered", { host, status: answer.status });
      return outcome;
    } catch (error) {
      if (error instanceof ForbiddenAddressError) {
        log.warn("push-address-refused", { host });
        return { kind: "refused" };
      }
      const { name, code } = error as { name?: string; code?: string };
      if (!stop.signal.aborted) log.info("push-failed", { host, error: name, code });
      return { kind: "later", retryAfterMs: 0 };
    }
  }

  const queue = createPushQueue<PushJob>({
    log,
    async attempt(job) {
      if (clock.now() >= job.expiresAt) return null;
      const target = await findTarget(job);
      if (!target) return null;
      const outcome = await deliver(target, job);
      if (stop.signal.aborted) return 0;
      if (outcome.kind === "later") return outcome.retryAfterMs;
      await recordDelivery(job, outcome.kind);
      return null;
    },
    giveUp: (job) => recordDelivery(job, "later"),
  });

  return {
    deliver,
    send: (jobs) => jobs.forEach(queue.add),
    close() {
      stop.abort();
      return queue.close();
    },
  };
}

/** RFC 8030 and what push services really answer. */
function toOutcome(status: number, retryAfter: string | undefined, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 401 || status === 403) return { kind: "unauthorised" };
  if (status === 429 || status >= 500) return { kind: "later", retryAfterMs: parseRetryAfter(retryAfter, now) };
  return { kind: "refused" };
}

/** Seconds or a date. */
function parseRetryAfter(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
