import type { Socket } from "node:net";

import type { FastifyReply } from "fastify";

import type { Clock } from "#server/platform/clock.ts";
import { seconds } from "#server/time.ts";
import { refuse } from "./refusal.ts";

const perCaller = 4;
/** A page with many pictures asks for more at once; they wait, and what a browser reads makes room soon. */
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

  /** False if there was none in time. */
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

  /** Resolves when the caller, or the connection, may be sent a file; refuses with 429 while four others are not read. */
  return async (caller: string | Socket, { raw: response }: FastifyReply): Promise<void> => {
    const slot = slots.get(caller) ?? { sending: 0, waiting: new Set() };
    slots.set(caller, slot);
    if (slot.sending < perCaller) slot.sending += 1;
    else if (slot.waiting.size >= maxWaiting || !(await waitForSlot(slot.waiting)))
      throw refuse("M429", { seconds: waitMs / 1000 });
    if (response.closed) release(caller);
    else response.once("close", () => release(caller));
  };
}
