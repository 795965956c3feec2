import type { GameServer, ServerState } from "#contract/game-servers.ts";
import { inTransaction } from "#server/db/connect.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import { type DriverKind, type Drivers, createDrivers } from "./drivers/create-drivers.ts";
import type { Manager } from "./manager/manager.ts";
import { deriveStatus, isRequestedPhase, joinUrl, messages, type SwitchAction, toServerState } from "./rules.ts";
import {
  deleteGameServer,
  findGameServer,
  type GameServerRow,
  createGameServer,
  savedState,
  listGameServers,
  listGameServersWithChanger,
  updatePosition,
  type Settings,
  updateSettings,
} from "./store.ts";

/** The servers as members see them; with `id` that one alone. Never waits for an engine for long. */
export async function listServers({ db }: Pick<Context, "db">, manager: Manager, id: number | null) {
  await manager.refreshStale();
  const rows = await listGameServersWithChanger(db, id);
  return rows.map((row): GameServer => {
    const state = savedState(row);
    const { changer_name: name, changer_avatar_id: avatarId } = row;
    const isRequested = isRequestedPhase(state.requested, state.phase);
    return {
      id: row.id,
      display_name: row.display_name,
      state: toServerState(state),
      address: row.address,
      join_url: joinUrl(row.address, row.query),
      players: state.players,
      changed_by: isRequested && name !== null ? { name, avatarId } : null,
      changed_at: isRequested ? state.requestedAt : null,
      auto_stop_at: state.autoStopAt,
    };
  });
}

/** Starts or stops a server for a member; returns the answer in words. */
export async function switchServer(
  { db, log }: Context,
  manager: Manager,
  member: Member,
  id: number,
  action: SwitchAction,
): Promise<string> {
  const row = await findGameServer(db, id);
  if (!row) throw refuse("M404");
  const outcome = await manager.switch(id, action, { id: member.id, avatarId: member.avatarId });
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
      throw refuse("M409");
    default:
      throw refuse("M503engine");
  }
}

/** Puts off the stop of an empty server. */
export async function keepServerRunning({ db }: Context, manager: Manager, id: number): Promise<string> {
  const row = await findGameServer(db, id);
  if (!row) throw refuse("M404");
  await manager.keepRunning(id);
  return messages.keptRunning(row.display_name);
}

/** What an administrator sets up. `ref` is what the driver calls it. */
export interface GameServerSetup extends Settings {
  readonly driver: DriverKind;
}

type BaseContext = Pick<Context, "db" | "clock" | "config">;

/**
 * Adds a server at the end of the list. `missing`: there is no such container, unit or program. With an unreachable engine
 * it is assumed to exist.
 */
export async function addGameServer(
  { db, clock, config }: BaseContext,
  setup: GameServerSetup,
  drivers: Drivers = createDrivers(config),
  by: Actor = null,
): Promise<{ id: number } | "missing"> {
  const { ref, grace_seconds: graceSeconds } = setup;
  const seen = await drivers[setup.driver]?.inspect({ id: 0, ref, graceSeconds });
  if (seen?.kind === "missing") return "missing";
  const at = clock.now();
  const id = await inTransaction(db, async (tx) => {
    await createAuditEntry(tx, "game-server-added", { name: setup.display_name }, { at, by });
    return createGameServer(tx, setup, at);
  });
  return { id };
}

/** Changes everything but what is started. Returns whether there is such a server. */
export async function updateGameServer(
  { db, clock }: Pick<Context, "db" | "clock">,
  id: number,
  changes: Omit<Settings, "driver" | "ref">,
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await updateSettings(tx, id, changes))) return false;
    await createAuditEntry(tx, "game-server-changed", { name: changes.display_name }, { at: clock.now(), by });
    return true;
  });
}

/** Forgets a server; what runs goes on running. Returns whether there was such a server. */
export async function removeGameServer(
  { db, clock }: Pick<Context, "db" | "clock">,
  id: number,
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const row = await findGameServer(tx, id);
    if (!row || !(await deleteGameServer(tx, id))) return false;
    await createAuditEntry(tx, "game-server-removed", { name: row.display_name }, { at: clock.now(), by });
    return true;
  });
}

/** Puts all servers in this order. False, and nothing done, where these are not all of them. */
export async function orderGameServers(
  { db, clock }: Pick<Context, "db" | "clock">,
  ids: readonly number[],
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const known = (await listGameServers(tx)).map(({ id }) => id);
    const isWhole = ids.length === known.length && known.every((id) => ids.includes(id));
    if (!isWhole) return false;
    for (const [index, id] of ids.entries()) await updatePosition(tx, id, index + 1);
    await createAuditEntry(tx, "game-servers-ordered", {}, { at: clock.now(), by });
    return true;
  });
}

/** Inspects a server now; null: there is none of this id. */
export async function testGameServer(
  { db, clock, config }: BaseContext,
  id: number,
  drivers: Drivers = createDrivers(config),
): Promise<{ kind: "unreachable" | "missing" } | { kind: "found"; state: ServerState } | null> {
  const row = await findGameServer(db, id);
  return row ? inspectServer(row, drivers, clock.now()) : null;
}

/** What a server is doing now, without the manager. */
export async function inspectServer(
  row: GameServerRow,
  drivers: Drivers,
  now: number,
): Promise<{ kind: "unreachable" | "missing" } | { kind: "found"; state: ServerState }> {
  const driver = drivers[row.driver as DriverKind];
  const observation = await driver?.inspect({ id: row.id, ref: row.ref, graceSeconds: row.grace_seconds });
  if (observation?.kind !== "found") return { kind: observation?.kind ?? "unreachable" };
  const saved = savedState(row);
  const changing = row.changing_until > now ? (row.changing as SwitchAction | null) : null;
  const status = deriveStatus(saved, observation, { ...saved, changing, hasAnswered: null, now });
  return { kind: "found", state: toServerState(status) };
}
