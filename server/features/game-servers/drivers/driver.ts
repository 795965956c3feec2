/** What a driver saw of a server; what that means is decided in rules.ts. */
export type Observation =
  /** The engine, systemd or the script did not answer. */
  | { readonly kind: "unreachable" }
  /** There is no such container, unit or program. */
  | { readonly kind: "missing" }
  | FoundObservation;

export interface FoundObservation {
  readonly kind: "found";
  /** A process exists, so it can be stopped. */
  readonly isAlive: boolean;
  /** Docker's word where it has one: created, running, paused, restarting, exited, dead, stopping, starting. */
  readonly status: string;
  /** Null: alive, never started, or unknown. */
  readonly exitCode: number | null;
  readonly isOutOfMemory: boolean;
  /** Null: the driver cannot tell. */
  readonly isReady: boolean | null;
  /** Epoch ms; null: unknown. */
  readonly startedAt: number | null;
  /** The last line that the ended program printed, for administrators only; null: unknown. */
  readonly lastLine: string | null;
}

/** An observation of which the driver knows only these facts. */
export function found(facts: Pick<FoundObservation, "isAlive" | "status"> & Partial<FoundObservation>): Observation {
  return {
    kind: "found",
    exitCode: null,
    isOutOfMemory: false,
    isReady: null,
    startedAt: null,
    lastLine: null,
    ...facts,
  };
}

/** What the administrator set up; nothing of it ever comes from a browser. */
export interface Target {
  readonly id: number;
  /** Container name, unit name, script file, or JSON of {argv, cwd, stopSignal}: only the driver reads it. */
  readonly ref: string;
  /** How long a stop may take before it is forced; null: the driver's own default. */
  readonly graceSeconds: number | null;
}

/** The engine could not be reached or did not answer in time. */
export class EngineUnreachableError extends Error {}

/** Why a start was refused: the program is missing, its network port is taken, or something else. */
export type RefusalReason = "missing" | "portTaken" | "refused";

/** The engine answered, and refused or failed; the message is for the log only. */
export class EngineRefusedError extends Error {
  readonly reason: RefusalReason;
  /** The last line of the engine or the program, for administrators only; null: unknown. */
  readonly detail: string | null;

  constructor(message: string, reason: RefusalReason = "refused", detail: string | null = null) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

/** One way to run game servers. */
export interface Driver {
  /** Never throws: what does not answer within 2 s is `unreachable`. */
  inspect(target: Target): Promise<Observation>;
  /**
   * Resolves when the start was accepted; already running is fine, paused is not. `observation` is what inspect() just returned.
   * Throws one of the two errors, within 8 s for an engine and 10 s for others.
   */
  start(target: Target, observation: Observation | null): Promise<void>;
  /** Resolves when it has ended; already ended is fine. Throws one of the two errors. */
  stop(target: Target, observation: Observation | null): Promise<void>;
  /** Calls `changed` with the ids to inspect again, `"all"` after a gap. A hint, never a state. Ends with the signal. */
  watch(targets: () => readonly Target[], changed: (ids: readonly number[] | "all") => void, signal: AbortSignal): void;
}

/** The grace where only the engine or the unit knows it. */
export const maxGraceSeconds = 300;

/** How long to wait for a stop: the grace, and a margin for the driver itself. */
export function stopTimeoutMs(graceSeconds: number | null, marginSeconds = 15): number {
  return ((graceSeconds ?? maxGraceSeconds) + marginSeconds) * 1000;
}
