import type { Permission } from "#contract/endpoint.ts";
import type { Config } from "#server/config.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Log } from "#server/platform/log.ts";
import type { Secrets } from "#server/platform/security/secrets.ts";
import {
  ForbiddenAddressError,
  ssrfSafeRequest,
  type Resolve,
  resolveBySystem,
} from "#server/platform/security/ssrf-safe-request.ts";
import { encryptMessage } from "./encryption.ts";
import type { PushTarget } from "./endpoint.ts";
import { createPushQueue } from "./queue.ts";
import { createVapidSigner } from "./vapid.ts";

export interface PushMessage {
  /** JSON, at most 3 KiB. */
  readonly payload: string;
  /** At most 32 characters of base64url. A browser that was offline gets only the last message with the same topic. */
  readonly topic: string;
  /** Milliseconds since the epoch; the message is not delivered later. */
  readonly expiresAt: number;
}

/** A message to one subscription; `prepareDelivery` may complete its payload before sending. */
export interface PushJob extends PushMessage {
  readonly subscriptionId: number;
  /** The permission that the subscription's member must still have at sending time; `null` if none is needed. */
  readonly permission: Permission | null;
}

/**
 * `gone`: the subscription has ended. `unauthorised`: it belongs to other VAPID keys. `refused`: a retry would not help.
 * `later`: a retry may help, at the earliest after `retryAfterMs`.
 */
export type PushOutcome =
  | { readonly kind: "delivered" | "gone" | "unauthorised" | "refused" }
  | { readonly kind: "later"; readonly retryAfterMs: number };

export type Push = ReturnType<typeof createPush>;

export interface PushOptions {
  readonly config: Config;
  readonly vapid: Secrets["vapid"];
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the target and payload of a job at sending time; `undefined` if the job may no longer be sent. */
  readonly prepareDelivery: (job: PushJob) => Promise<{ target: PushTarget; payload: string } | undefined>;
  /** Records the final outcome; `later` means that the last retry failed. */
  readonly recordDelivery: (job: PushJob, outcome: PushOutcome["kind"]) => Promise<void>;
  readonly resolve?: Resolve;
  /** Milliseconds before each retry; tests pass shorter ones. */
  readonly retryDelays?: readonly number[];
}

/** Creates the sender of messages through the browsers' push services. */
export function createPush({ config, vapid, clock, log, prepareDelivery, recordDelivery, ...options }: PushOptions) {
  const { resolve = resolveBySystem } = options;
  const authorize = createVapidSigner(vapid, config.pushSubject, clock);
  const stop = new AbortController();
  let failures = 0;

  /** Sends one message immediately; never rejects. */
  async function deliver(target: PushTarget, { payload, topic, expiresAt }: PushMessage): Promise<PushOutcome> {
    const { origin, host } = new URL(target.endpoint);
    const ttl = Math.max(0, Math.ceil((expiresAt - clock.now()) / 1000));
    try {
      const answer = await ssrfSafeRequest(
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
        { resolve, allowPrivate: config.pushAllowPrivate, stop: stop.signal },
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
    retryDelays: options.retryDelays,
    async attempt(job) {
      if (clock.now() >= job.expiresAt) return null;
      const delivery = await prepareDelivery(job);
      if (!delivery) return null;
      const outcome = await deliver(delivery.target, { ...job, payload: delivery.payload });
      if (stop.signal.aborted) return 0;
      // A subscription that has ended is not a failure.
      if (outcome.kind !== "delivered" && outcome.kind !== "gone") failures++;
      if (outcome.kind === "later") return outcome.retryAfterMs;
      await recordDelivery(job, outcome.kind);
      return null;
    },
    giveUp: (job) => recordDelivery(job, "later"),
  });

  return {
    deliver,
    /** Returns the number of unsent pushes of this instance. */
    countWaiting: queue.size,
    /** Returns the number of failed attempts of this instance since its start. */
    failures: () => failures,
    /** Queues the jobs and returns immediately; drops jobs beyond the limit of the queue. */
    send: (jobs: readonly PushJob[]) => jobs.forEach(queue.add),
    /** Stops permanently; resolves to the unsent jobs. */
    close(): Promise<PushJob[]> {
      stop.abort();
      return queue.close();
    },
  };
}

/** Translates a status according to RFC 8030 and to the behaviour of real push services. */
function toOutcome(status: number, retryAfter: string | undefined, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 401 || status === 403) return { kind: "unauthorised" };
  if (status === 429 || status >= 500) return { kind: "later", retryAfterMs: parseRetryAfter(retryAfter, now) };
  return { kind: "refused" };
}

/** Parses seconds or a date; returns milliseconds from `now`. */
function parseRetryAfter(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
