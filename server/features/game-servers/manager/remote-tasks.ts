import { randomUUID } from "node:crypto";

import type { Bus } from "#server/platform/realtime/bus.ts";
import type { SwitchAction } from "../rules.ts";
import type { RequestedBy, SwitchOutcome } from "./reducer.ts";
import { withTimeout } from "./timings.ts";

/**
 * A task for the leader. Instances of an older app version send tasks during an update, so these fields must not be
 * renamed.
 */
export type Task =
  | ({ readonly do: "switch"; readonly wanted: SwitchAction; readonly by: RequestedBy } & Place)
  | ({ readonly do: "keep" } & Place)
  /** Refreshes stale states when a member opens the page. */
  | { readonly do: "look" };

interface Place {
  readonly serverId: number;
  /** Missing or `null` for shared game servers. */
  readonly machine?: string | null;
}

type Envelope =
  | { readonly task: Task; readonly call: string }
  | { readonly call: string; readonly outcome: SwitchOutcome | "failed" };

const feature = "game-servers";

/**
 * Sends tasks to the leader over the bus of all instances. `perform` returns `null` if this instance is not the leader.
 */
export function createRemoteTasks(bus: Bus, perform: (task: Task) => Promise<SwitchOutcome> | null) {
  const waiting = new Map<string, (outcome: SwitchOutcome | null) => void>();
  const send = (envelope: Envelope): void => void bus.tell({ kind: "feature", feature, data: envelope });

  bus.onMessage((message) => {
    if (message.kind !== "feature" || message.feature !== feature) return;
    // Safe, because the same code on another instance sent the message.
    const envelope = message.data as Envelope;
    if ("outcome" in envelope) waiting.get(envelope.call)?.(envelope.outcome === "failed" ? null : envelope.outcome);
    else {
      const { call } = envelope;
      perform(envelope.task)?.then(
        (outcome) => send({ call, outcome }),
        () => send({ call, outcome: "failed" }),
      );
    }
  });

  return {
    /** Resolves to `null` if no answer arrives in time, or if the task failed on the leader. */
    request(task: Task, timeoutMs: number): Promise<SwitchOutcome | null> {
      const call = randomUUID();
      const answered = new Promise<SwitchOutcome | null>((resolve) => waiting.set(call, resolve));
      send({ call, task });
      return withTimeout(answered, timeoutMs, null).finally(() => waiting.delete(call));
    },
    notify: (task: Task) => send({ call: randomUUID(), task }),
  };
}
