/** A driver's report about a server; rules.ts interprets it. */
export type Observation =
  /** The engine, systemd or the script did not answer. */
  | { readonly kind: "unreachable" }
  /** The container, unit or program does not exist. */
  | { readonly kind: "missing" }
  | FoundObservation;

export interface FoundObservation {
  readonly kind: "found";
  /** `true` if a process exists, so that it can be stopped. */
  readonly isAlive: boolean;
  /** Docker's word, if it has one: created, running, paused, restarting, exited, dead, stopping, starting. */
  readonly status: string;
  /** `null` while alive, before the first start, or if unknown. */
  readonly exitCode: number | null;
  readonly isOutOfMemory: boolean;
  /** `null` if the driver cannot tell. */
  readonly isReady: boolean | null;
  /** Epoch ms; `null` if unknown. */
  readonly startedAt: number | null;
  /** Last line of the ended program, for administrators only; `null` if unknown. */
  readonly lastLine: string | null;
}

/** Creates the report of a driver that knows only these facts. */
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

/** The launch target, as an administrator set it up; never comes from a browser. */
export interface Target {
  readonly id: number;
  /** Container name, unit name, script file, or JSON of {argv, cwd, stopSignal}: only the driver reads it. */
  readonly ref: string;
  /** Seconds before a stop is forced; `null`: the driver's default. */
  readonly graceSeconds: number | null;
}

/** The engine could not be reached or did not answer in time. */
export class EngineUnreachableError extends Error {}

/** Reason for a refused start. `portTaken`: another program uses its network port. */
export type RefusalReason = "missing" | "portTaken" | "refused";

/** The engine answered with a refusal or a failure; the message is for the log only. */
export class EngineRefusedError extends Error {
  readonly reason: RefusalReason;
  /** Last line of the engine or the program, for administrators only; `null` if unknown. */
  readonly detail: string | null;

  constructor(message: string, reason: RefusalReason = "refused", detail: string | null = null) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

/** A way to run game servers. */
export interface Driver {
  /** Never throws: without an answer within 2 s the server is `unreachable`. */
  inspect(target: Target): Promise<Observation>;
  /**
   * Resolves when the start was accepted; starting a running server succeeds, a paused one is refused. `observation`: the latest
   * report. Throws one of the two errors, within 8 s for an engine and 10 s for others.
   */
  start(target: Target, observation: Observation | null): Promise<void>;
  /** Resolves when the server has ended, also if it was not running. Throws one of the two errors. */
  stop(target: Target, observation: Observation | null): Promise<void>;
  /**
   * Calls `changed` with the ids to inspect again, or `"all"` after a gap, until the signal is aborted. A signal to re-read, not
   * the state itself.
   */
  watch(targets: () => readonly Target[], changed: (ids: readonly number[] | "all") => void, signal: AbortSignal): void;
}

/** Seconds assumed if only the engine or the unit knows the grace period. */
export const maxGraceSeconds = 300;

/** Returns the timeout of a stop: the grace period, and a margin for the driver itself. */
export function stopTimeoutMs(graceSeconds: number | null, marginSeconds = 15): number {
  return ((graceSeconds ?? maxGraceSeconds) + marginSeconds) * 1000;
}
