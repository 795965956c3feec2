import { createInstanceId, type Bus, type BusMessage } from "#server/platform/realtime/bus.ts";

/** Buses of so many instances, joined in memory; a cut one neither hears nor is heard until it is mended. */
export function createConnectedBuses(count: number): (Bus & { cut(): void; mend(): void })[] {
  const listeners = new Map<string, (message: BusMessage, from: string) => void>();
  const isCut = new Set<string>();
  return Array.from({ length: count }, () => {
    const instance = createInstanceId();
    const gaps: (() => void)[] = [];
    return {
      instance,
      reachesOthers: count > 1,
      send: async (message) => {
        const sent = JSON.stringify(message);
        await Promise.resolve();
        if (isCut.has(instance)) return;
        for (const [other, listener] of listeners) {
          if (other !== instance && !isCut.has(other)) listener(JSON.parse(sent), instance);
        }
      },
      onMessage: (listener) => void listeners.set(instance, listener),
      onGap: (listener) => void gaps.push(listener),
      close: async () => void listeners.delete(instance),
      cut: () => void isCut.add(instance),
      mend: () => {
        isCut.delete(instance);
        for (const gap of gaps) gap();
      },
    };
  });
}
