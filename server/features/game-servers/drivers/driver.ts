import { stripVTControlCharacters } from "node:util";

/** A driver's report about a game server, which manager/phase.ts interprets. */
export type Observation =
  | {
      readonly kind: "unreachable";
      /** `true` if no instance runs on the machine of the program. */
      readonly isMachineGone?: true;
    }
  | { readonly kind: "missing" }
  | FoundObservation;

export interface FoundObservation {
  readonly kind: "found";
  /** `true` if the server has a process, which can be stopped. */
  readonly isAlive: boolean;
  /**
   * Docker's word for the status if Docker has one: created, running, paused, restarting, exited, dead; otherwise
   * starting or stopping.
   */
  readonly status: string;
  /** Exit code of the last run; `null` while the server is alive, before its first start, or if unknown. */
  readonly exitCode: number | null;
  readonly isOutOfMemory: boolean;
  /** `true` if the server is ready for players; `null` if the driver cannot tell. */
  readonly isReady: boolean | null;
  /** Epoch ms of the last start; `null` if unknown. */
  readonly startedAt: number | null;
  /** Last line that the ended program printed, for administrators only; `null` if unknown. */
  readonly lastLine: string | null;
}

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

const maxLineLength = 200;
const unreadable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Returns the last non-empty line, as plain text of at most 200 characters; `null` if all lines are empty. */
export function findLastLine(output: string): string | null {
  const lines = stripVTControlCharacters(output)
    .split(/[\r\n]/)
    .map((line) => line.replaceAll("\t", " ").replaceAll(unreadable, "").trim());
  const last = [...(lines.findLast((line) => line !== "") ?? "")];
  if (last.length === 0) return null;
  return last.length > maxLineLength ? `${last.slice(0, maxLineLength - 1).join("")}…` : last.join("");
}

/** The launch target that an administrator or the operator set up. */
export interface Target {
  readonly id: number;
  /**
   * Name of a container or unit, path of a script, or JSON of `commandSetup`, depending on the driver; only the driver
   * reads this text.
   */
  readonly ref: string;
  /** Seconds until a stop is forced; `null` for the driver's default. */
  readonly graceSeconds: number | null;
}

/** Thrown if the engine cannot be reached or does not answer in time. */
export class EngineUnreachableError extends Error {}

/** Reason for a refused start. `portTaken`: another program uses its network port. */
export type RefusalReason = "missing" | "portTaken" | "refused";

/** Thrown if the engine answers with a refusal or a failure. The message is for the log only. */
export class EngineRefusedError extends Error {
  readonly reason: RefusalReason;
  /** Last line that the engine or the program printed, for administrators only; `null` if unknown. */
  readonly detail: string | null;

  constructor(message: string, reason: RefusalReason = "refused", detail: string | null = null) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

/** Runs one kind of game servers, e.g. containers or systemd units. */
export interface Driver {
  /** Inspects a game server. Never throws: without an answer within 2 s the server is `unreachable`. */
  inspect(target: Target): Promise<Observation>;
  /**
   * Starts a game server; resolves when the start was accepted, also if the server is already running. Refuses a paused
   * server. `observation` is the latest report. Throws `EngineUnreachableError` or `EngineRefusedError`, within 8 s for
   * an engine and 10 s for other drivers.
   */
  start(target: Target, observation: Observation | null): Promise<void>;
  /**
   * Stops a game server; resolves when the server has ended, also if it was not running. Throws
   * `EngineUnreachableError` or `EngineRefusedError`.
   */
  stop(target: Target, observation: Observation | null): Promise<void>;
  /**
   * Watches game servers until the signal is aborted. Calls `changed` with the ids of servers to inspect again, or with
   * `"all"` if events may have been missed.
   */
  watch(targets: () => readonly Target[], changed: (ids: readonly number[] | "all") => void, signal: AbortSignal): void;
}

/**
 * Seconds to wait for a game server to end if its own grace period is configured in the Docker Engine or the systemd
 * unit, and unknown here.
 */
export const maxGraceSeconds = 300;

/** Returns the timeout of a stop in milliseconds: the grace period and a margin for the driver. */
export function stopTimeoutMs(graceSeconds: number | null, marginSeconds = 15): number {
  return ((graceSeconds ?? maxGraceSeconds) + marginSeconds) * 1000;
}
