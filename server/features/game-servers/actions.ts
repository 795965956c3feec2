import {
  describeFailure,
  type GameServer,
  gameServersUpdated,
  type ManagedGameServer,
  toServerState,
} from "#contract/game-servers.ts";
import { isShownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import { isDeletedAccount } from "#server/features/members/rules.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { hasPermissions, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { Say } from "#server/platform/say.ts";
import { readMachineId } from "#server/platform/storage/machine-id.ts";
import { toIso } from "#server/time.ts";
import { type DriverKind, type Drivers, createDrivers } from "./drivers/create-drivers.ts";
import { machineOf } from "./manager/machines.ts";
import { type Manager, toUpdate } from "./manager/manager.ts";
import { announce, reduce, takeOver } from "./manager/reducer.ts";
import {
  formatConnectionTest,
  type Inspection,
  isQueryable,
  isRequestedPhase,
  joinUrl,
  messages,
  type StartFailure,
  type SwitchAction,
} from "./rules.ts";
import * as store from "./store.ts";

/** Waits only briefly for a slow engine. `id` `null` lists all servers. */
export async function listServers(
  { db }: Pick<Context, "db">,
  manager: Manager,
  member: Pick<Member, "permissions">,
  id: number | null,
): Promise<GameServer[]> {
  await manager.refreshStale();
  const rows = await store.listGameServersWithChanger(db, id);
  return rows.map((row): GameServer => {
    const state = store.savedState(row);
    const { changer_name: name, changer_avatar_id: avatarId, changer_hash: password_hash } = row;
    const isRequested = isRequestedPhase(state.requested, state.phase);
    return {
      id: row.id,
      display_name: row.display_name,
      state: toServerState(state),
      is_missing: state.phase === "missing",
      is_active: store.isActive(row),
      start_failure: toStartFailure(row.display_name, state.startFailure, member),
      address: row.address,
      join_url: joinUrl(row.address, row.query),
      players: state.players,
      is_queryable: isQueryable(row),
      changed_by:
        isRequested && name !== null && password_hash !== null
          ? { name, avatarId, is_former: isDeletedAccount({ password_hash }) }
          : null,
      changed_at: isRequested && state.requestedAt !== null ? toIso(state.requestedAt) : null,
      auto_stop_at: toIso(state.autoStopAt),
    };
  });
}

function toStartFailure(
  name: string,
  failure: StartFailure | null,
  member: Pick<Member, "permissions">,
): GameServer["start_failure"] {
  if (failure === null) return null;
  const { reason, detail, at } = failure;
  const shown = hasPermissions(member, ["admin"]) ? detail : null;
  return { text: messages.startFailed(name, reason), detail: shown, at: toIso(at) };
}

/** Refuses an unknown server with 404, and one that was restored from a backup and not enabled yet. */
async function findActiveServer(db: Db, id: number): Promise<store.GameServerRow> {
  const row = await store.findGameServer(db, id);
  if (!row) throw refuse("notFound");
  if (!store.isActive(row)) throw refuse("gameServerInactive");
  return row;
}

export async function requestSwitch(
  context: Context,
  manager: Manager,
  member: Member,
  id: number,
  action: SwitchAction,
): Promise<string> {
  const { db, log } = context;
  const row = await findActiveServer(db, id);
  const { id: userId, name, avatarId } = member;
  const isNamed = isShownWith(member.visibility, "gameServers");
  const by = isNamed ? { id: userId, name, avatarId } : { id: userId, avatarId: null };
  const outcome = await manager.switch(row, action, by);
  log.info("game-server-switched", { server: id, user: member.id, action, outcome: outcome ?? "unreachable" });
  switch (outcome) {
    case "starting":
      return messages.starting(row.display_name);
    case "running":
      return messages.alreadyRunning(row.display_name);
    case "stopping":
      return messages.stopping(row.display_name);
    case "off":
      return messages.alreadyOff(row.display_name);
    case "busy":
      throw refuse("gameServerBusy", await describeChangeUnderWay(context, id, member));
    case "missing": {
      const text = action === "start" ? messages.startFailed : messages.missing;
      throw refuse("gameServerStartFailed", { text: text(row.display_name, "missing") });
    }
    case "start-failed":
      throw refuse("gameServerStartFailed", await describeFailedStart(context, id, member));
    case "machine-gone":
      throw refuse("gameServerDriverUnavailable", { text: messages.machineGone });
    default:
      throw refuse("gameServerDriverUnavailable");
  }
}

/** Names the other member who is starting or stopping the server; without a text if no other member is. */
async function describeChangeUnderWay(
  { db }: Pick<Context, "db">,
  id: number,
  member: Member,
): Promise<{ text?: string }> {
  const [row] = await store.listGameServersWithChanger(db, id);
  if (!row || row.changing === null || row.changing !== row.wanted || row.changed_by === member.id) return {};
  const { changer_name: name, changer_hash: password_hash } = row;
  if (name === null || password_hash === null || isDeletedAccount({ password_hash })) return {};
  return { text: row.changing === "start" ? messages.startingBy(name) : messages.stoppingBy(name) };
}

async function describeFailedStart(
  { db }: Pick<Context, "db">,
  id: number,
  member: Member,
): Promise<{ text?: string }> {
  const row = await store.findGameServer(db, id);
  if (!row) return {};
  const failure = toStartFailure(row.display_name, store.savedState(row).startFailure, member);
  return failure === null ? {} : { text: describeFailure(failure) };
}

export async function keepServerRunning({ db }: Pick<Context, "db">, manager: Manager, id: number): Promise<string> {
  const row = await findActiveServer(db, id);
  const outcome = await manager.keepRunning(row);
  if (outcome === "machine-gone") throw refuse("gameServerDriverUnavailable", { text: messages.machineGone });
  if (outcome === null) throw refuse("gameServerDriverUnavailable");
  if (outcome !== "running") throw refuse("gameServerBusy");
  return messages.keptRunning(row.display_name);
}

export interface GameServerSetup extends store.Settings {
  readonly driver: DriverKind;
}

type BaseContext = Pick<Context, "db" | "say" | "clock" | "config" | "gameServers">;

/** Refuses an unknown container, unit or program, but accepts any while the engine is unreachable. */
export async function addGameServer(context: BaseContext, setup: GameServerSetup, by: Actor): Promise<number> {
  const { clock, config } = context;
  const target = { id: 0, ref: setup.ref, graceSeconds: setup.grace_seconds };
  const observation = await findDrivers(context)[setup.driver]?.inspect(target);
  if (observation?.kind === "missing") throw refuseField("ref", "unknownContainer");
  const at = clock.now();
  const machine = setup.driver === "command" ? readMachineId(config.dataDir) : null;
  return changeAsAdmin(context, by, async (tx, say) => {
    await say.audit("game-server-added", { name: setup.display_name });
    await publishServerChange(say, 0);
    return store.createGameServer(tx, { ...setup, machine }, at);
  });
}

export async function updateGameServer(
  context: BaseContext,
  id: number,
  changes: Omit<store.Settings, "driver" | "ref">,
  by: Actor,
): Promise<void> {
  await changeAsAdmin(context, by, async (tx, say) => {
    if (!(await store.updateSettings(tx, id, changes))) throw refuse("notFound");
    await say.audit("game-server-changed", { name: changes.display_name });
    await publishServerChange(say, id);
  });
}

/**
 * A program then belongs to this machine. Only the command line may do this, because members can then start the
 * program.
 */
export async function enableGameServer(context: BaseContext, row: store.GameServerRow): Promise<void> {
  const { config } = context;
  const machine = row.driver === "command" ? readMachineId(config.dataDir) : null;
  await changeAsAdmin(context, null, async (tx, say) => {
    if (store.isActive(row) && row.machine === machine) return;
    await store.activateGameServer(tx, row.id, machine);
    await say.audit("game-server-enabled", { name: row.display_name });
  });
}

export async function removeGameServer(context: BaseContext, id: number, by: Actor): Promise<void> {
  await changeAsAdmin(context, by, async (tx, say) => {
    const row = await store.findGameServer(tx, id);
    if (!row || !(await store.deleteGameServer(tx, id))) throw refuse("notFound");
    await say.audit("game-server-removed", { name: row.display_name });
    await publishServerChange(say, 0);
  });
}

/** Refuses a list that does not contain every id exactly once. */
export async function orderGameServers(context: BaseContext, ids: readonly number[], by: Actor): Promise<void> {
  await changeAsAdmin(context, by, async (tx, say) => {
    const existing = (await store.listGameServers(tx)).map(({ id }) => id);
    const isComplete = ids.length === existing.length && existing.every((id) => ids.includes(id));
    if (!isComplete) throw refuseField("ids", "invalid");
    for (const [index, id] of ids.entries()) await store.updatePosition(tx, id, index + 1);
    await say.audit("game-servers-ordered", {});
    await publishServerChange(say, 0);
  });
}

/** Asks the driver without the manager. Returns the stored state of a program on another machine. */
export async function inspectServer(context: BaseContext, row: store.GameServerRow): Promise<Inspection> {
  if (!store.isActive(row)) return { kind: "inactive" };
  const machine = machineOf(row, context.config);
  if (machine !== null && machine !== readMachineId(context.config.dataDir)) return storedInspection(row);
  const driver = findDrivers(context)[row.driver as DriverKind];
  const observation = await driver?.inspect({ id: row.id, ref: row.ref, graceSeconds: row.grace_seconds });
  if (observation?.kind !== "found") return { kind: observation?.kind ?? "unreachable" };
  const now = context.clock.now();
  const settings = { name: "", graceSeconds: null, idleStopMinutes: null, isQueryable: false };
  const { state } = reduce(
    takeOver(store.savedState(row), now),
    { type: "observed", observation },
    { ...settings, now },
  );
  return { kind: "found", state: toServerState(state) };
}

function storedInspection(row: store.GameServerRow): Inspection {
  const saved = store.savedState(row);
  const state = toServerState(saved);
  if (state === null) return { kind: saved.phase === "missing" ? "missing" : "unreachable" };
  return { kind: "found", state };
}

export function findDrivers({ config, gameServers }: BaseContext): Drivers {
  return gameServers?.drivers ?? createDrivers(config);
}

/** Omits command lines of programs, which may contain passwords. */
export async function listManagedGameServers({ db }: Pick<Context, "db">): Promise<ManagedGameServer[]> {
  return (await store.listGameServers(db)).map((row) => {
    const driver = row.driver as ManagedGameServer["driver"];
    return {
      id: row.id,
      display_name: row.display_name,
      driver,
      address: row.address,
      ref: driver === "docker" || driver === "unit" ? row.ref : null,
      query: row.query as ManagedGameServer["query"],
      grace: row.grace_seconds,
      idle_stop: row.idle_stop_minutes,
      state: toServerState(store.savedState(row)),
      is_active: store.isActive(row),
    };
  });
}

export async function testConnection(context: Context, id: number): Promise<{ ok: boolean; message: string }> {
  const row = await store.findGameServer(context.db, id);
  if (!row) throw refuse("notFound");
  const inspection = await inspectServer(context, row);
  return { ok: inspection.kind === "found", message: formatConnectionTest(inspection) };
}

/** The server id 0 means the whole list. */
async function publishServerChange(say: Say, serverId: number): Promise<void> {
  await say.event(gameServersUpdated, toUpdate(serverId, announce("")));
}
