import { randomUUID } from "node:crypto";

import type { SwitchAction } from "../rules.ts";
import type { ChangedBy } from "./supervised-server.ts";
import type { Outcome } from "./switching.ts";
import type { Bus } from "#server/platform/realtime/bus.ts";

/** What an instance asks of the one that looks after the servers. */
export type Task =
  | { readonly do: "switch"; readonly serverId: number; readonly wanted: SwitchAction; readonly by: ChangedBy }
  | { readonly do: "keep"; readonly serverId: number }
  /** Somebody opened the page. */
  | { readonly do: "look" };

type Envelope =
  | { readonly task: Task; readonly call: string }
  | { readonly call: string; readonly outcome: Outcome | "failed" };

const feature = "game-servers";

/** Tasks for the instance that looks after the servers, over the bus. */
export interface RemoteTasks {
  /** Null where nobody answers in time, or it failed there. */
  request(task: Task, patienceMs: number): Promise<Outcome | null>;
  notify(task: Task): void;
}

/** `perform` returns null where this instance is not the one that was meant. */
export function createRemoteTasks(bus: Bus, perform: (task: Task) => Promise<Outcome> | null): RemoteTasks {
  const waiting = new Map<string, (outcome: Outcome | null) => void>();
  const send = (letter: Envelope): void => void bus.send({ kind: "feature", feature, data: letter });

  bus.onMessage((message) => {
    if (message.kind !== "feature" || message.feature !== feature) return;
    // Written by this same code on another instance.
    const letter = message.data as Envelope;
    if ("outcome" in letter) waiting.get(letter.call)?.(letter.outcome === "failed" ? null : letter.outcome);
    else {
      const { call } = letter;
      perform(letter.task)?.then(
        (outcome) => send({ call, outcome }),
        () => send({ call, outcome: "failed" }),
      );
    }
  });

  return {
    request(task, patienceMs) {
      const call = randomUUID();
      return new Promise<Outcome | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), patienceMs);
        waiting.set(call, (outcome) => {
          clearTimeout(timer);
          resolve(outcome);
        });
        send({ call, task });
      }).finally(() => waiting.delete(call));
    },
    notify: (task) => send({ call: randomUUID(), task }),
  };
}
