import type { Config } from "#server/config.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Log } from "#server/platform/log.ts";
import type { OutboxMessage, Sender } from "#server/platform/outbox/outbox.ts";
import type { Secrets } from "#server/platform/security/secrets.ts";
import {
  ForbiddenAddressError,
  ssrfSafeRequest,
  type Resolve,
  resolveBySystem,
} from "#server/platform/security/ssrf-safe-request.ts";
import { minutes, seconds } from "#server/time.ts";
import { encryptMessage } from "./encryption.ts";
import type { PushTarget } from "./endpoint.ts";
import type { PushJob, PushMessage } from "./job.ts";
import { createVapidSigner } from "./vapid.ts";

/**
 * `gone`: the subscription has ended. `unauthorised`: it belongs to other VAPID keys. `refused`: a retry would not
 * help. `later`: a retry may help, at the earliest after `retryAfterMs`.
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
  /** Called just before sending; `undefined` if the job must not be sent any more. */
  readonly prepareDelivery: (job: PushJob) => Promise<{ target: PushTarget; payload: string } | undefined>;
  /** `later` means that the last retry failed. */
  readonly recordDelivery: (job: PushJob, outcome: PushOutcome["kind"]) => Promise<void>;
  readonly resolve?: Resolve;
  /** Tests pass shorter delays. */
  readonly retryDelays?: readonly number[];
}

export function createPush({ config, vapid, clock, log, prepareDelivery, recordDelivery, ...options }: PushOptions) {
  const { resolve = resolveBySystem } = options;
  const authorize = createVapidSigner(vapid, config.pushSubject, clock);

  /** Does not retry; never rejects. */
  async function deliver(
    target: PushTarget,
    { payload, topic, expiresAt }: PushMessage,
    stop: AbortSignal,
  ): Promise<PushOutcome> {
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
        { resolve, allowPrivate: config.pushAllowPrivate, stop },
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
      if (!stop.aborted) log.info("push-failed", { host, error: name, code });
      return { kind: "later", retryAfterMs: 0 };
    }
  }

  const sender: Sender = {
    kind: "push",
    parallel: 20,
    claimMs: minutes(1),
    retryDelays: options.retryDelays ?? [seconds(2), seconds(10), minutes(1)],
    hasJitter: true,
    async send(row, stop) {
      const job = toJob(row);
      const delivery = await prepareDelivery(job);
      if (!delivery) return { result: "obsolete" };
      const outcome = await deliver(delivery.target, { ...job, payload: delivery.payload }, stop);
      if (outcome.kind === "later") return { result: "later", waitMs: outcome.retryAfterMs };
      await recordDelivery(job, outcome.kind);
      // A subscription that has ended is not a failure.
      return { result: outcome.kind === "gone" ? "obsolete" : outcome.kind === "delivered" ? "delivered" : "dropped" };
    },
    onDropped: async (row, reason) => void (reason === "failed" && (await recordDelivery(toJob(row), "later"))),
  };

  return { deliver, sender };
}

function toJob({ receiver, message, expiresAt }: OutboxMessage): PushJob {
  return { ...(message as Omit<PushJob, "subscriptionId" | "expiresAt">), subscriptionId: Number(receiver), expiresAt };
}

/** Follows RFC 8030 and the behaviour of real services. */
function toOutcome(status: number, retryAfter: string | undefined, now: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 401 || status === 403) return { kind: "unauthorised" };
  if (status === 429 || status >= 500) return { kind: "later", retryAfterMs: parseRetryAfter(retryAfter, now) };
  return { kind: "refused" };
}

/** The header contains seconds or a date. Returns milliseconds from `now`. */
function parseRetryAfter(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
