import { stripVTControlCharacters } from "node:util";

/** A driver's report, which manager/phase.ts interprets. */
export type Observation =
  | {
      readonly kind: "unreachable";
      /** No instance runs on the machine of the program. */
      readonly isMachineGone?: true;
    }
  | { readonly kind: "missing" }
  | FoundObservation;

export interface FoundObservation {
  readonly kind: "found";
  /** `true` if the server has a process. */
  readonly isAlive: boolean;
  /**
   * Docker's word if it has one: created, running, paused, restarting, exited, dead; otherwise starting or stopping.
   */
  readonly status: string;
  /** `null` while the server is alive, before its first start, or if unknown. */
  readonly exitCode: number | null;
  readonly isOutOfMemory: boolean;
  /** `null` if the driver cannot tell. */
  readonly isReady: boolean | null;
  /** Epoch ms; `null` if unknown. */
  readonly startedAt: number | null;
  /** Last printed line, for administrators only; `null` if unknown. */
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

/** Returns plain text of at most 200 characters; `null` if all lines are empty. */
export function findLastLine(output: string): string | null {
  const lines = stripVTControlCharacters(output)
    .split(/[\r\n]/)
    .map((line) => line.replaceAll("\t", " ").replaceAll(unreadable, "").trim());
  const last = [...(lines.findLast((line) => line !== "") ?? "")];
  if (last.length === 0) return null;
  return last.length > maxLineLength ? `${last.slice(0, maxLineLength - 1).join("")}…` : last.join("");
}

export interface Target {
  readonly id: number;
  /** Name of a container or unit, path of a script, or JSON of `commandSetup`; only the driver reads it. */
  readonly ref: string;
  /** Time until a stop is forced; `null` for the driver's default. */
  readonly graceSeconds: number | null;
}

/** The engine cannot be reached or does not answer in time. */
export class EngineUnreachableError extends Error {}

/** `portTaken`: another program uses the network port. */
export type RefusalReason = "missing" | "portTaken" | "refused";

/** The engine refused or failed. The message is for the log only. */
export class EngineRefusedError extends Error {
  readonly reason: RefusalReason;
  /** Last printed line, for administrators only; `null` if unknown. */
  readonly detail: string | null;

  constructor(message: string, reason: RefusalReason = "refused", detail: string | null = null) {
    super(message);
    this.reason = reason;
    this.detail = detail;
  }
}

export interface Driver {
  /** Never throws: without an answer within 2 s the server is `unreachable`. */
  inspect(target: Target): Promise<Observation>;
  /**
   * Resolves when the start was accepted, also if the server is already running; refuses a paused server. Throws
   * `EngineUnreachableError` or `EngineRefusedError`, within 8 s for an engine and 10 s for other drivers.
   */
  start(target: Target, observation: Observation | null): Promise<void>;
  /** Resolves when the server has ended, also if it was not running. Throws the same errors as start(). */
  stop(target: Target, observation: Observation | null): Promise<void>;
  /** Calls `changed` with the ids of servers to inspect again, or with `"all"` if events may have been missed. */
  watch(targets: () => readonly Target[], changed: (ids: readonly number[] | "all") => void, signal: AbortSignal): void;
}

/** Assumed grace period if it is configured in the Docker Engine or the systemd unit, and unknown here. */
export const maxGraceSeconds = 300;

/** Returns milliseconds. */
export function stopTimeoutMs(graceSeconds: number | null, marginSeconds = 15): number {
  return ((graceSeconds ?? maxGraceSeconds) + marginSeconds) * 1000;
}
