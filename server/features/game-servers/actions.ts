import { describeFailure, type GameServer, type ServerState } from "#contract/game-servers.ts";
import type { Db } from "#server/db/connect.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { isDeletedAccount } from "#server/features/members/rules.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { hasPermissions, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { type DriverKind, type Drivers, driversFor } from "./drivers/create-drivers.ts";
import type { Manager } from "./manager/manager.ts";
import {
  deriveStatus,
  isQueryable,
  isRequestedPhase,
  joinUrl,
  messages,
  type StartFailure,
  type SwitchAction,
  toServerState,
} from "./rules.ts";
import * as store from "./store.ts";

/** Returns the servers as this member sees them; with `id` that one alone. Never waits for an engine for long. */
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
      changed_at: isRequested ? state.requestedAt : null,
      auto_stop_at: state.autoStopAt,
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
  return { text: messages.startFailed(name, reason), detail: hasPermissions(member, ["admin"]) ? detail : null, at };
}

/** Returns the game server; refuses with M404 if it does not exist, and with M409inactive if it is inactive since a restore. */
async function findActiveServer(db: Db, id: number): Promise<store.GameServerRow> {
  const row = await store.findGameServer(db, id);
  if (!row) throw refuse("M404");
  if (!store.isActive(row)) throw refuse("M409inactive");
  return row;
}

/** Starts or stops a server for a member; returns the answer in words. */
export async function switchServer(
  context: Context,
  manager: Manager,
  member: Member,
  id: number,
  action: SwitchAction,
): Promise<string> {
  const { db, log } = context;
  const row = await findActiveServer(db, id);
  const by = { id: member.id, name: member.name, avatarId: member.avatarId };
  const outcome = await manager.switch(id, action, by);
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
      throw refuse("M409", await describeChangeUnderWay(context, id, member));
    case "missing": {
      const text = action === "start" ? messages.startFailed : messages.missing;
      throw refuse("M503start", { text: text(row.display_name, "missing") });
    }
    case "start-failed":
      throw refuse("M503start", await describeFailedStart(context, id, member));
    default:
      throw refuse("M503engine");
  }
}

/** Names the other member who is starting or stopping the server, if there is one. */
async function describeChangeUnderWay({ db, clock }: Context, id: number, member: Member): Promise<{ text?: string }> {
  const [row] = await store.listGameServersWithChanger(db, id);
  if (!row || store.findLeasedChange(row, clock.now()) === null || row.changed_by === member.id) return {};
  const { changer_name: name, changer_hash: password_hash } = row;
  if (name === null || password_hash === null || isDeletedAccount({ password_hash })) return {};
  // The request is stored a moment after the change has begun.
  if (row.wanted === "start" && row.phase === "starting") return { text: messages.startingBy(name) };
  return row.wanted === "stop" && row.phase === "stopping" ? { text: messages.stoppingBy(name) } : {};
}

async function describeFailedStart({ db }: Context, id: number, member: Member): Promise<{ text?: string }> {
  const row = await store.findGameServer(db, id);
  if (!row) return {};
  const failure = toStartFailure(row.display_name, store.savedState(row).startFailure, member);
  return failure === null ? {} : { text: describeFailure(failure) };
}

/** Puts off the stop of an empty server. */
export async function keepServerRunning({ db }: Context, manager: Manager, id: number): Promise<string> {
  const row = await findActiveServer(db, id);
  const outcome = await manager.keepRunning(id);
  if (outcome === null) throw refuse("M503engine");
  if (outcome !== "running") throw refuse("M409");
  return messages.keptRunning(row.display_name);
}

/** What an administrator sets up. `ref` is what the driver calls it. */
export interface GameServerSetup extends store.Settings {
  readonly driver: DriverKind;
}

type BaseContext = Pick<Context, "db" | "clock" | "config" | "gameServers">;

/**
 * Adds a server at the end of the list and returns its id. Refused where there is no such container, unit or program; with an
 * unreachable engine it is assumed to exist.
 */
export async function addGameServer(context: BaseContext, setup: GameServerSetup, by: Actor): Promise<number> {
  const { db, clock } = context;
  const target = { id: 0, ref: setup.ref, graceSeconds: setup.grace_seconds };
  const observation = await driversOf(context)[setup.driver]?.inspect(target);
  if (observation?.kind === "missing") throw refuseField("ref", "V-container");
  const at = clock.now();
  return inAdminChange(db, by, async (tx) => {
    await createAuditEntry(tx, "game-server-added", { name: setup.display_name }, { at, by });
    return store.createGameServer(tx, setup, at);
  });
}

/** Changes everything but what is started. */
export async function updateGameServer(
  { db, clock }: BaseContext,
  id: number,
  changes: Omit<store.Settings, "driver" | "ref">,
  by: Actor,
): Promise<void> {
  await inAdminChange(db, by, async (tx) => {
    if (!(await store.updateSettings(tx, id, changes))) throw refuse("M404");
    await createAuditEntry(tx, "game-server-changed", { name: changes.display_name }, { at: clock.now(), by });
  });
}

/** Activates a restored game server. Only for the command line, because members can then start its program. */
export async function enableGameServer({ db, clock }: BaseContext, row: store.GameServerRow): Promise<void> {
  await inAdminChange(db, null, async (tx) => {
    if (store.isActive(row)) return;
    await store.activateGameServer(tx, row.id);
    await createAuditEntry(tx, "game-server-enabled", { name: row.display_name }, { at: clock.now(), by: null });
  });
}

/** Forgets a server; what runs goes on running. */
export async function removeGameServer({ db, clock }: BaseContext, id: number, by: Actor): Promise<void> {
  await inAdminChange(db, by, async (tx) => {
    const row = await store.findGameServer(tx, id);
    if (!row || !(await store.deleteGameServer(tx, id))) throw refuse("M404");
    await createAuditEntry(tx, "game-server-removed", { name: row.display_name }, { at: clock.now(), by });
  });
}

/** Puts the servers into this order; refused where these are not all of them. */
export async function orderGameServers({ db, clock }: BaseContext, ids: readonly number[], by: Actor): Promise<void> {
  await inAdminChange(db, by, async (tx) => {
    const existing = (await store.listGameServers(tx)).map(({ id }) => id);
    const isComplete = ids.length === existing.length && existing.every((id) => ids.includes(id));
    if (!isComplete) throw refuseField("ids", "V-in");
    for (const [index, id] of ids.entries()) await store.updatePosition(tx, id, index + 1);
    await createAuditEntry(tx, "game-servers-ordered", {}, { at: clock.now(), by });
  });
}

/** What a server is doing, as far as its driver says it. */
export type Inspection = { kind: "unreachable" | "missing" | "inactive" } | { kind: "found"; state: ServerState };

/** What a server is doing now, without the manager. */
export async function inspectServer(context: BaseContext, row: store.GameServerRow): Promise<Inspection> {
  if (!store.isActive(row)) return { kind: "inactive" };
  const driver = driversOf(context)[row.driver as DriverKind];
  const observation = await driver?.inspect({ id: row.id, ref: row.ref, graceSeconds: row.grace_seconds });
  if (observation?.kind !== "found") return { kind: observation?.kind ?? "unreachable" };
  const now = context.clock.now();
  const saved = store.savedState(row);
  const changing = store.findLeasedChange(row, now);
  const status = deriveStatus(saved, observation, { ...saved, changing, hasAnswered: null, lastStartedAt: null, now });
  return { kind: "found", state: toServerState(status) };
}

export function driversOf({ config, gameServers }: BaseContext): Drivers {
  return gameServers?.drivers ?? driversFor(config);
}
