import type { Phase } from "#contract/game-servers.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { errorFields, outageFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";
import type { Driver } from "../drivers/driver.ts";
import type { SwitchAction } from "../rules.ts";
import type { GameServerRow } from "../store.ts";
import * as gameServerStore from "../store.ts";
import type { FindDrivers } from "./machines.ts";
import { announce, type RequestedBy, type SwitchOutcome } from "./reducer.ts";
import { type SupervisedServer, superviseServer, type SupervisionContext } from "./server.ts";
import { type Timings, withTimeout } from "./timings.ts";

const transitionalPhases: ReadonlySet<Phase> = new Set(["unknown", "starting", "stopping", "restarting"]);

export type Supervisor = ReturnType<typeof createSupervisor>;

/** Runs only on the leader of these servers, until the context's signal is aborted. */
export function createSupervisor(findDrivers: FindDrivers, context: SupervisionContext) {
  const { db, log, timings, signal } = context;
  const servers = new Map<number, SupervisedServer>();
  const watchedDrivers = new Set<Driver>();
  const busy = new Set<number>();
  let isFirstSync = true;
  const sync = coalesce(async () => {
    await readRows().catch((error: unknown) => log.warn("game-servers-read-failed", outageFields(error)));
  });
  const synced = sync();
  // A slow engine must not delay other servers.
  const stopTicking = every(
    timings.tickMs,
    () => void tick(),
    () => {},
  );
  signal.addEventListener("abort", stopTicking);

  async function readRows(): Promise<void> {
    const rows = (await gameServerStore.listGameServers(db)).filter(gameServerStore.isActive);
    const findDriver = await findDrivers(rows);
    if (signal.aborted) return;
    for (const id of servers.keys()) {
      if (rows.some((row) => row.id === id && findDriver(row))) continue;
      servers.delete(id);
      await context.announce(db, id, announce(""));
    }
    for (const row of rows) {
      const driver = findDriver(row);
      if (!driver) continue;
      const server = servers.get(row.id);
      if (server && isSameProgram(server.row, row)) server.updateSettings(row);
      else await supervise(server ? { ...row, phase: "unknown" } : row, driver);
    }
    isFirstSync = false;
  }

  async function supervise(row: GameServerRow, driver: Driver): Promise<void> {
    const server = superviseServer(row, driver, context);
    servers.set(row.id, server);
    watch(driver);
    void server.inspect();
    if (!isFirstSync) await context.announce(db, row.id, announce(""));
  }

  function watch(driver: Driver): void {
    if (watchedDrivers.has(driver)) return;
    watchedDrivers.add(driver);
    const watched = () => [...servers.values()].filter((server) => server.driver === driver);
    driver.watch(
      () => watched().map(({ target }) => target()),
      (ids) => {
        for (const server of watched()) if (ids === "all" || ids.includes(server.row.id)) refreshSoon(server);
      },
      signal,
    );
  }

  function refreshSoon(server: SupervisedServer): void {
    if (server.state.phase !== "running") void server.inspect();
    else setTimeout(() => void server.inspect(), timings.settleMs).unref();
  }

  async function tick(): Promise<void> {
    await sync();
    if (!signal.aborted) await Promise.all([...servers.values()].map(check));
  }

  async function check(server: SupervisedServer): Promise<void> {
    const { id } = server.row;
    // The previous check is still waiting for its engine.
    if (busy.has(id)) return;
    busy.add(id);
    try {
      if (server.observationAge() >= maxObservationAge(server.state.phase, timings)) await server.inspect();
      await checkPlayers(server);
    } catch (error) {
      log.warn("game-server-check-failed", { server: id, ...errorFields(error) });
    } finally {
      busy.delete(id);
    }
  }

  async function checkPlayers(server: SupervisedServer): Promise<void> {
    const { phase } = server.state;
    const isWorthwhile = context.isWatched() || server.row.idle_stop_minutes !== null;
    // The start of a server ends when the game answers.
    if (phase !== "starting" && !(phase === "running" && isWorthwhile)) return server.forgetPlayers();
    const maxQueryAge = phase === "starting" ? timings.unreachableMs : timings.playersMs;
    if (server.queryAge() >= maxQueryAge) await server.refreshPlayers();
    await server.stopIfIdle();
  }

  async function find(id: number): Promise<SupervisedServer | undefined> {
    await synced;
    if (!servers.has(id)) await sync();
    return servers.get(id);
  }

  return {
    /** Reads the settings of all servers. Never rejects. */
    sync,
    async switch(id: number, action: SwitchAction, by: RequestedBy): Promise<SwitchOutcome> {
      return (await find(id))?.request(action, by) ?? "unreachable";
    },
    async keepRunning(id: number): Promise<SwitchOutcome> {
      return (await find(id))?.keepRunning() ?? "busy";
    },
    /** Includes servers that were just added, and waits briefly for the results. */
    async refreshStale(): Promise<void> {
      await sync();
      const refreshed: Promise<void>[] = [];
      for (const server of servers.values()) {
        const { phase } = server.state;
        // A recent observation of an unknown phase may not be stored yet.
        const isStale = phase === "unknown" || server.observationAge() >= timings.pageMs;
        if (isStale && phase !== "unreachable") refreshed.push(server.inspect());
        if (phase === "running" && server.queryAge() >= timings.playersMs) refreshed.push(server.refreshPlayers());
      }
      await withTimeout(Promise.all(refreshed), timings.pageWaitMs, null);
    },
  };
}

function maxObservationAge(phase: Phase, timings: Timings): number {
  if (phase === "unreachable") return timings.unreachableMs;
  return transitionalPhases.has(phase) ? timings.transitionalMs : timings.stableMs;
}

function isSameProgram(one: GameServerRow, other: GameServerRow): boolean {
  return one.driver === other.driver && one.ref === other.ref;
}
