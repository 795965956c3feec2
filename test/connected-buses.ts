import { afterCommit } from "#server/db/transaction-scope.ts";
import { createLog } from "#server/platform/log.ts";
import {
  type Bus,
  type BusListeners,
  type BusMessage,
  createBusListeners,
  createInstanceId,
} from "#server/platform/realtime/bus.ts";

/**
 * Creates `count` message buses that are connected in memory. After `cut()`, a bus neither sends
 * to nor receives from the others until `mend()`.
 */
export function createConnectedBuses(count: number): (Bus & { cut(): void; mend(): void })[] {
  const receivers = new Map<string, BusListeners>();
  const isCut = new Set<string>();

  async function sendToOthers(message: BusMessage, instance: string): Promise<void> {
    const sent = JSON.stringify(message);
    await Promise.resolve();
    if (isCut.has(instance)) return;
    for (const [other, { deliver }] of receivers)
      if (other !== instance && !isCut.has(other)) void deliver(JSON.parse(sent) as BusMessage, instance);
  }

  return Array.from({ length: count }, () => {
    const instance = createInstanceId();
    const listeners = createBusListeners(createLog("error"));
    receivers.set(instance, listeners);
    return {
      instance,
      reachesOthers: count > 1,
      send: (db, message) =>
        afterCommit(db, async () => {
          void sendToOthers(message, instance);
          await listeners.deliver(message, instance);
        }),
      tell: (message) => sendToOthers(message, instance),
      onMessage: listeners.onMessage,
      onGap: listeners.onGap,
      isDeaf: () => false,
      close: async () => void receivers.delete(instance),
      cut: () => void isCut.add(instance),
      mend: () => {
        isCut.delete(instance);
        listeners.reportGap();
      },
    };
  });
}
