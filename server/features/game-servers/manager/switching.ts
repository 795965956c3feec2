import type { Db } from "#server/db/connect.ts";
import { errorFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";
import { EngineRefusedError } from "../drivers/driver.ts";
import { messages, type StartFailure, type SwitchAction, type SwitchRequest } from "../rules.ts";
import { claimSwitch, endSwitch, renewSwitch } from "../store.ts";
import type { RequestedBy, RunningSwitch, SupervisedServer, SupervisionContext } from "./supervised-server.ts";
import { withTimeout } from "./timings.ts";

/**
 * Outcome of a request to start or stop. `missing` means that the container, unit or program does
 * not exist.
 */
export type SwitchOutcome =
  | "starting"
  | "running"
  | "stopping"
  | "off"
  | "busy"
  | "missing"
  | "start-failed"
  | "unreachable";

const renewEveryMs = 5000;

/**
 * Starts or stops a server. Resolves when the start was accepted or the stop has begun, and
 * continues in the background. Refuses a request while another is in progress, except a stop during
 * a start: the stop follows once the server has started.
 */
export async function switchServer(
  server: SupervisedServer,
  action: SwitchAction,
  by: RequestedBy,
  context: SupervisionContext,
): Promise<SwitchOutcome> {
  const { db, clock, log, timings, announce } = context;
  const { id, display_name: name } = server.row;
  await server.ended;
  const current = server.runningSwitch;
  if (current) {
    // While a start is in progress, allows one stop request; refuses any other request during a
    // start or stop.
    if (current.action !== "start" || action !== "stop" || current.isStopRequested) return "busy";
    current.isStopRequested = true;
    await requestStop();
    return "stopping";
  }

  const began = performance.now();
  const runningSwitch: RunningSwitch = { action, isStopRequested: false };
  server.runningSwitch = runningSwitch;
  const stopRenewing = every(
    renewEveryMs,
    () => renewSwitch(db, id, runningSwitch.action, clock.now()),
    (error) => log.warn("game-server-lease-lost", { server: id, ...errorFields(error) }),
  );
  try {
    if (!(await claimSwitch(db, id, action, clock.now()))) {
      release();
      return "busy";
    }
    await server.refresh();
    const needless = findNoOpOutcome(action, server.state);
    if (needless && !runningSwitch.isStopRequested) {
      if (needless === "missing" && action === "start") await announceFailure(db, "missing");
      finishAfter(Promise.resolve());
      return needless;
    }
    if (action === "stop") {
      const { phase, requested, requestedBy, requestedAt } = server.state;
      const interrupted = phase === "starting" ? { requested, requestedBy, requestedAt } : null;
      await requestStop();
      finishAfter(stop(interrupted));
      return "stopping";
    }
    // A stop requested during the start takes precedence.
    if (runningSwitch.isStopRequested) {
      finishAfter(stopIfRequested());
      return needless ?? "starting";
    }
    return await start();
  } catch (error) {
    // Releases the start or stop in this process; its lease in the database expires automatically.
    release();
    throw error;
  }

  async function start(): Promise<SwitchOutcome> {
    const { observation, requested, requestedBy, requestedAt } = server.state;
    // Shows on open pages that the server is starting and who requested it, because a script may
    // take seconds to start the server.
    await saveRequest({ requested: "start", requestedBy: by?.id ?? null, requestedAt: clock.now() }, (tx) =>
      announce(tx, id, "", null),
    );
    const started = server.driver.start(server.target, observation).then(
      () => null,
      (error: unknown) => {
        logFailure(error);
        return toFailure(error);
      },
    );
    const remainingMs = timings.startMs - (performance.now() - began);
    const failure = await withTimeout(started, remainingMs, noAnswer);
    if (failure === null) await announceNow(messages.starting(name), by);
    // A stop requested during the start takes precedence.
    else if (!runningSwitch.isStopRequested) {
      const request = { requested, requestedBy, requestedAt };
      const at = clock.now();
      await server.apply({ type: "start-failed", failure: { ...failure, at }, request }, async (tx) => {
        if (failure.reason !== "unreachable") await announceFailure(tx, failure.reason, at);
      });
    }
    finishAfter(started.then(stopIfRequested));
    if (failure === null) return "starting";
    return failure.reason === "unreachable" ? "unreachable" : "start-failed";
  }

  /**
   * Announces a failed start without the member's name, because the failure is not the member's.
   */
  function announceFailure(tx: Db, reason: StartFailure["reason"], failedStartAt: number | null = null): Promise<void> {
    const member = by && { id: by.id, avatarId: null };
    return announce(tx, id, messages.startFailed(name, reason), member, { isFailure: true, failedStartAt });
  }

  /** Announces a message without a change of the stored state. Never rejects. */
  async function announceNow(message: string, member: RequestedBy, isFailure = false): Promise<void> {
    await announce(db, id, message, member, { isFailure }).catch(logFailure);
  }

  async function stopIfRequested(): Promise<void> {
    if (!runningSwitch.isStopRequested) return;
    runningSwitch.action = "stop";
    await server.refresh();
    await stop();
  }

  /**
   * Stops the server. `interrupted` is the start request of a server that was still starting; this
   * request counts again if the stop fails.
   */
  async function stop(interrupted: SwitchRequest | null = null): Promise<void> {
    try {
      await server.driver.stop(server.target, server.state.observation);
    } catch (error) {
      logFailure(error);
      await server.refresh();
      if (interrupted) await saveRequest(interrupted);
      // The server has ended, and only the driver's answer was lost.
      else if (server.state.observation?.kind === "found" && !server.state.isAlive) return;
      await announceNow(messages.stopFailed(name), null, true);
    }
  }

  async function requestStop(): Promise<void> {
    await saveRequest({ requested: "stop", requestedBy: by?.id ?? null, requestedAt: clock.now() }, (tx) =>
      announce(tx, id, by ? messages.stopping(name) : messages.stoppingEmpty(name), by),
    );
  }

  function saveRequest(request: SwitchRequest, announceToo?: (tx: Db) => Promise<void>): Promise<void> {
    return server.apply({ type: "requested", request }, announceToo);
  }

  /** Marks the start or stop as finished once `work` has ended; does not wait for it. */
  function finishAfter(work: Promise<void>): void {
    void work
      .then(finish)
      .then(() => server.refresh())
      .catch(logFailure);
  }

  async function finish(): Promise<void> {
    release();
    const ended = endSwitch(db, id);
    // Ignores a failed write to the database: the lease of the start or stop then expires
    // automatically.
    server.ended = Promise.allSettled([ended]);
    await ended;
  }

  function release(): void {
    stopRenewing();
    server.runningSwitch = null;
  }

  /** Logs only the kind of an error, because the engine's own text names containers and paths. */
  function logFailure(error: unknown): void {
    const kind = error instanceof Error ? error.constructor.name : "unknown";
    log.warn("game-server-change-failed", { server: id, error: kind });
  }
}

type Failure = Pick<StartFailure, "reason" | "detail">;

const noAnswer: Failure = { reason: "unreachable", detail: null };

function toFailure(error: unknown): Failure {
  return error instanceof EngineRefusedError ? { reason: error.reason, detail: error.detail } : noAnswer;
}

/** Returns the outcome if the change is not needed or not possible; `null` to proceed. */
function findNoOpOutcome(
  action: SwitchAction,
  { observation, phase }: SupervisedServer["state"],
): SwitchOutcome | null {
  if (observation?.kind !== "found") return observation?.kind ?? "unreachable";
  if (observation.status === "stopping") return "busy";
  const isUp = observation.isAlive || observation.status === "restarting";
  // A server that was started but does not run yet may be on a machine that is still booting.
  if (action === "stop") return isUp || phase === "starting" ? null : "off";
  return isUp ? "running" : null;
}
