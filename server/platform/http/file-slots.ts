import type { Socket } from "node:net";

import type { FastifyReply } from "fastify";

import type { Clock } from "#server/platform/clock.ts";
import { seconds } from "#server/time.ts";
import { refuse } from "./refusal.ts";

const perCaller = 4;
/** A page with many pictures requests more files at once than the four that a caller is sent at the same time. */
const maxWaiting = 50;
const waitMs = seconds(5);

export function createFileSlots(clock: Clock) {
  const slots = new Map<string | Socket, { sending: number; readonly waiting: Set<() => void> }>();

  function release(caller: string | Socket): void {
    const slot = slots.get(caller)!;
    const [next] = slot.waiting;
    if (next) return next();
    slot.sending -= 1;
    if (slot.sending === 0) slots.delete(caller);
  }

  function waitForSlot(waiting: Set<() => void>): Promise<boolean> {
    return new Promise((resolve) => {
      const take = () => {
        waiting.delete(take);
        resolve(true);
      };
      waiting.add(take);
      void clock.sleep(waitMs).then(() => waiting.delete(take) && resolve(false));
    });
  }

  /**
   * A caller is a member, an address or a connection, and is sent four files at the same time. Further requests wait up
   * to five seconds before they are refused with 429. If 50 already wait, refuses immediately.
   */
  return async (caller: string | Socket, { raw: response }: FastifyReply): Promise<void> => {
    const slot = slots.get(caller) ?? { sending: 0, waiting: new Set() };
    slots.set(caller, slot);
    if (slot.sending < perCaller) slot.sending += 1;
    else if (slot.waiting.size >= maxWaiting || !(await waitForSlot(slot.waiting)))
      throw refuse("tooManyRequests", { seconds: waitMs / 1000 });
    if (response.closed) release(caller);
    else response.once("close", () => release(caller));
  };
}
