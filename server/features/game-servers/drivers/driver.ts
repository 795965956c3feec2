/** Facts about a server as its driver saw them; what they mean is decided above. */
export type Observation =
  /** The engine, systemd or the script could not be asked. */
  | { readonly kind: "unreachable" }
  /** There is no such container, unit or program. */
  | { readonly kind: "missing" }
  | {
      readonly kind: "found";
      /** A process exists, so stopping is what a button could do. */
      readonly isAlive: boolean;
      /** The driver's own word, Docker's where it has one: created, running, paused, restarting, exited, dead, stopping, starting. */
      readonly word: string;
      readonly exitCode: number | null;
      readonly isOutOfMemory: boolean;
      /** As far as the driver knows; null: it has no opinion. */
      readonly isReady: boolean | null;
      /** Epoch ms. */
      readonly startedAt: number | null;
    };

/** What the administrator set up; nothing of it ever comes from a browser. */
export interface Target {
  readonly id: number;
  /** Container name, unit name, script file, or JSON of {argv, cwd, stopSignal}: only the driver reads it. */
  readonly ref: string;
  /** How long a stop may take before it is forced; null: the driver's own. */
  readonly graceSeconds: number | null;
}

/** The engine could not be reached or did not answer in time. */
export class EngineUnreachableError extends Error {}

/** The engine answered, and refused or failed; the message is for the log only. */
export class EngineRefusedError extends Error {}

/** One way to run a game server. */
export interface Driver {
  /** Never throws: what cannot be asked is `unreachable`, within 2 s. */
  inspect(target: Target): Promise<Observation>;
  /** Returns when the start was accepted; already running is fine, paused is not. Throws one of the two errors, within 10 s. */
  start(target: Target): Promise<void>;
  /** Returns when it has ended; already ended is fine. Throws one of the two errors. */
  stop(target: Target): Promise<void>;
  /** Calls `changed` with the ids worth looking at again, `"all"` after a gap. A hint, never a state. Ends with the signal. */
  watch(targets: () => readonly Target[], changed: (ids: readonly number[] | "all") => void, signal: AbortSignal): void;
}
