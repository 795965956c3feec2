import type { Config } from "#server/config.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Group } from "#server/platform/group.ts";
import type { Log } from "#server/platform/log.ts";
import type { Sender } from "#server/platform/outbox/outbox.ts";
import { minutes, seconds } from "#server/time.ts";
import { createTransport, describeFailure, type Mail, maxDeliveryMs, toFailure } from "./transport.ts";

/**
 * Repeats a mail until it expires, if the mail server deferred it, refused its sender, or did not confirm that it
 * received the text.
 */
export function createMailSender(parts: { config: Config; clock: Clock; log: Log; group: Group }): Sender {
  const { config, clock, log, group } = parts;
  const deliver = createTransport(config);
  return {
    kind: "mail",
    parallel: 5,
    minimumMs: seconds(1) / config.rateLimitFactor,
    claimMs: maxDeliveryMs + seconds(10),
    retryDelays: [1, 5, 15, 30].map(minutes),
    isLastDelayRepeated: true,
    async send({ uuid, message }, stop) {
      try {
        const { group_name: sender } = await group.settings();
        await deliver({ ...(message as Mail), id: uuid, sender }, new Date(clock.now()), stop);
        log.info("mail-sent");
        return { result: "delivered" };
      } catch (error) {
        const failure = toFailure(error);
        if (!stop.aborted) log.warn("mail-failed", { failure, ...describeFailure(config, error) });
        if (failure === "refused") return { result: "dropped" };
        if (failure === "unreachable") return { result: "later", waitMs: minutes(1), isUncounted: true };
        return { result: "later" };
      }
    },
    onDropped: (_, reason) => void (reason === "expired" && log.warn("mail-expired")),
  };
}
