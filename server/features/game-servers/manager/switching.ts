import { errorFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";
import { messages, type SwitchAction, type SwitchRequest } from "../rules.ts";
import { claimChange, endChange, renewChange } from "../store.ts";
import type { Change, ChangedBy, SupervisedServer, SupervisionContext } from "./supervised-server.ts";
import { withTimeout } from "./timings.ts";

/** What came of a request; `unreachable` also where there is nothing to start. */
export type SwitchOutcome = "starting" | "running" | "stopping" | "off" | "busy" | "unreachable";

const renewEveryMs = 5000;

/**
 * Starts or stops a server: one change at a time. Resolves when the start was accepted, or the stop begun; the rest is done after the
 * answer. A stop that is requested during a start is noted in the change, and made once the server has started.
 */
export async function switchServer(
  server: SupervisedServer,
  action: SwitchAction,
  by: ChangedBy,
  context: SupervisionContext,
): Promise<SwitchOutcome> {
  const { db, clock, log, timings, announce } = context;
  const { id, display_name: name } = server.row;
  await server.ended;
  const running = server.change;
  if (running) {
    // Only a stop may follow a start that is under way.
    if (running.action !== "start" || action !== "stop" || running.isStopRequested) return "busy";
    running.isStopRequested = true;
    await requestStop();
    return "stopping";
  }

  const began = performance.now();
  const change: Change = { action, isStopRequested: false };
  server.change = change;
  const stopRenewing = every(
    renewEveryMs,
    () => renewChange(db, id, change.action, clock.now()),
    (error) => log.warn("game-server-lease-lost", { server: id, ...errorFields(error) }),
  );
  try {
    if (!(await claimChange(db, id, action, clock.now()))) {
      release();
      return "busy";
    }
    await server.refresh();
    const needless = findNeedlessOutcome(action, server.state);
    if (needless && !change.isStopRequested) {
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
    // The stop was requested later and counts.
    if (change.isStopRequested) {
      finishAfter(stopIfRequested());
      return needless ?? "starting";
    }
    return await start();
  } catch (error) {
    // The database failed: the lease ends by itself.
    release();
    throw error;
  }

  async function start(): Promise<SwitchOutcome> {
    const { observation, requested, requestedBy, requestedAt } = server.state;
    await saveRequest({ requested: "start", requestedBy: by?.id ?? null, requestedAt: clock.now() });
    const started = server.driver.start(server.target, observation).then(
      () => "starting" as const,
      (error: unknown) => {
        logFailure(error);
        return "unreachable" as const;
      },
    );
    const outcome = await withTimeout(started, timings.startMs - (performance.now() - began), "unreachable" as const);
    if (outcome === "starting") announce(id, messages.starting(name), by);
    // The start failed, so the request before it counts again; but a stop that came meanwhile stays.
    else if (!change.isStopRequested) await saveRequest({ requested, requestedBy, requestedAt });
    finishAfter(started.then(stopIfRequested));
    return outcome;
  }

  async function stopIfRequested(): Promise<void> {
    if (!change.isStopRequested) return;
    change.action = "stop";
    await server.refresh();
    await stop();
  }

  /** `interrupted`: the start of a machine that is still on the way up; it goes on if the stop fails. */
  async function stop(interrupted: SwitchRequest | null = null): Promise<void> {
    try {
      await server.driver.stop(server.target, server.state.observation);
    } catch (error) {
      logFailure(error);
      await server.refresh();
      if (interrupted) await saveRequest(interrupted);
      // Perhaps only the answer got lost.
      else if (server.state.observation?.kind === "found" && !server.state.isAlive) return;
      announce(id, messages.stopFailed(name), null, true);
    }
  }

  async function requestStop(): Promise<void> {
    await saveRequest({ requested: "stop", requestedBy: by?.id ?? null, requestedAt: clock.now() });
    announce(id, by ? messages.stopping(name) : messages.stoppingEmpty(name), by);
  }

  function saveRequest(request: SwitchRequest): Promise<void> {
    return server.apply({ type: "requested", request });
  }

  /** The rest, after the answer. */
  function finishAfter(work: Promise<void>): void {
    void work
      .then(finish)
      .then(() => server.refresh())
      .catch(logFailure);
  }

  async function finish(): Promise<void> {
    release();
    const ended = endChange(db, id);
    // If the database fails, the lease ends by itself.
    server.ended = Promise.allSettled([ended]);
    await ended;
  }

  function release(): void {
    stopRenewing();
    server.change = null;
  }

  /** The engine's own text stays out of the log: it names containers and paths. */
  function logFailure(error: unknown): void {
    const kind = error instanceof Error ? error.constructor.name : "unknown";
    log.warn("game-server-change-failed", { server: id, error: kind });
  }
}

/** Why there is nothing to do, or nothing that can be done; null: go on. */
function findNeedlessOutcome(
  action: SwitchAction,
  { observation, phase }: SupervisedServer["state"],
): SwitchOutcome | null {
  if (observation?.kind !== "found") return "unreachable";
  if (observation.status === "stopping") return "busy";
  const isUp = observation.isAlive || observation.status === "restarting";
  // One that does not run yet may be on the way up.
  if (action === "stop") return isUp || phase === "starting" ? null : "off";
  return isUp ? "running" : null;
}
