import { vi } from "vitest";

import { ApiError } from "#web/client/api.ts";
import { isUndo, type OutboxEntry } from "#web/client/outbox-rules.ts";
import { createOutboxStorage, type OutboxStorage } from "#web/client/outbox-storage.ts";
import { createOutbox, type Outbox, type OutboxEvent } from "#web/client/outbox.ts";

export const anna = 1;

type Try = (entry: OutboxEntry) => Promise<string>;

export interface Tab {
  readonly outbox: Outbox;
  /** The events in words. */
  readonly story: string[];
  readonly sent: OutboxEntry[];
}

/**
 * Creates a tab whose attempts to send have these results; the last one repeats. A shared storage means one browser.
 */
export function createTab(shared: OutboxStorage, memberId: number, ...tries: Try[]): Tab {
  const story: string[] = [];
  const sent: OutboxEntry[] = [];
  const outbox = createOutbox({
    memberId,
    storage: shared,
    async send(entry) {
      sent.push(entry);
      const reply = await (tries[sent.length - 1] ?? tries.at(-1)!)(entry);
      return { reply, headers: new Headers() };
    },
  });
  outbox.listen((event) => void story.push(describeEvent(event)));
  return { outbox, story, sent };
}

function describeEvent(event: OutboxEvent): string {
  const what = isUndo(event.entry) ? "undo" : "beer";
  switch (event.type) {
    case "added":
      return `${what} added${event.removed ? " in time" : ""}`;
    case "notSaved":
      return `${what} not saved`;
    case "delivered":
      return `${what} delivered ${JSON.stringify(event.answer?.reply ?? null).replaceAll('"', "")}`;
    case "refused":
      return `${what} refused ${event.reason}`;
  }
}

export function openTab(shared: OutboxStorage, ...tries: Try[]): Tab {
  const tab = createTab(shared, anna, ...tries);
  tab.outbox.start();
  return tab;
}

export const drink = ({ outbox }: Tab): string => outbox.add({ endpoint: "drinkBeer", body: {} });
export const undo = ({ outbox }: Tab, key: string): Promise<void> =>
  outbox.undo(key, { endpoint: "undoTap", params: { key } });

export const ok: Try = () => Promise.resolve("ok");
export const fails =
  (status: number): Try =>
  () =>
    Promise.reject(new ApiError(status, `Fehler ${status}`));

export const keysOf = ({ sent }: Tab) => sent.map(({ beer }) => beer);

/** Opens an empty storage in a browser as on pages without https, with fake timers. */
export function openStorage(): OutboxStorage {
  vi.stubGlobal("navigator", {});
  Channel.all.clear();
  vi.stubGlobal("BroadcastChannel", Channel);
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const timeout = new AbortController();
    setTimeout(() => timeout.abort(new DOMException("Too late.", "TimeoutError")), ms);
    return timeout.signal;
  });
  return createOutboxStorage();
}

/** Writes only when the test settles `writing`. */
export function slowStorage(storage: OutboxStorage): { shared: OutboxStorage; writing: PromiseWithResolvers<void> } {
  const writing = Promise.withResolvers<void>();
  const add: OutboxStorage["add"] = async (...given) => {
    await writing.promise;
    await storage.add(...given);
  };
  return { shared: { ...storage, add }, writing };
}

export class Channel extends EventTarget {
  static readonly all = new Set<Channel>();

  constructor() {
    super();
    Channel.all.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channel.all) if (other !== this) other.dispatchEvent(new MessageEvent("message", { data }));
  }

  close(): void {
    Channel.all.delete(this);
  }
}
