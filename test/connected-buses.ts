import { createInstanceId, type Bus, type BusMessage } from "#server/platform/realtime/bus.ts";

/**
 * Creates `count` message buses that are connected in memory. After `cut()`, a bus neither sends
 * nor receives until `mend()`.
 */
export function createConnectedBuses(count: number): (Bus & { cut(): void; mend(): void })[] {
  const receivers = new Map<string, (message: BusMessage, from: string) => void>();
  const isCut = new Set<string>();
  return Array.from({ length: count }, () => {
    const instance = createInstanceId();
    const listeners: ((message: BusMessage, from: string) => void)[] = [];
    const gaps: (() => void)[] = [];
    const reportGap = () => gaps.forEach((gap) => gap());
    receivers.set(instance, (message, from) => {
      if (message.kind === "resync") reportGap();
      else listeners.forEach((listener) => listener(message, from));
    });
    return {
      instance,
      reachesOthers: count > 1,
      send: async (message) => {
        const sent = JSON.stringify(message);
        await Promise.resolve();
        if (isCut.has(instance)) return;
        for (const [other, receive] of receivers) {
          if (other !== instance && !isCut.has(other)) receive(JSON.parse(sent), instance);
        }
      },
      onMessage: (listener) => void listeners.push(listener),
      onGap: (listener) => void gaps.push(listener),
      close: async () => void receivers.delete(instance),
      cut: () => void isCut.add(instance),
      mend: () => {
        isCut.delete(instance);
        reportGap();
      },
    };
  });
}
