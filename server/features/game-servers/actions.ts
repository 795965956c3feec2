import type { GameServer, Players, ServerState } from "#contract/game-servers.ts";
import { inTransaction } from "#server/db/connect.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import { type DriverKind, type Drivers, createDrivers } from "./drivers/create-drivers.ts";
import type { Manager } from "./manager/manager.ts";
import { deriveStatus, isRequestedPhase, joinUrl, toServerState, type SwitchAction } from "./rules.ts";
import {
  deleteGameServer,
  findGameServer,
  type GameServerRow,
  createGameServer,
  statusOf,
  listGameServers,
  listGameServersWithChanger,
  updatePosition,
  type Settings,
  updateSettings,
} from "./store.ts";

/** The servers as members see them, one where `id` is given. Never waits for an engine for long. */
export async function listServers({ db }: Pick<Context, "db">, manager: Manager, id: number | null) {
  await manager.open();
  const rows = await listGameServersWithChanger(db, id);
  return rows.map((row): GameServer => {
    const known = statusOf(row);
    const { changer_name: name, changer_avatar_id: avatarId } = row;
    const isTheirs = isRequestedPhase(row.wanted as SwitchAction | null, known.phase);
    return {
      id: row.id,
      display_name: row.display_name,
      state: toServerState(known),
      address: row.address,
      join_url: joinUrl(row.address, row.query),
      players: row.players === null ? null : (JSON.parse(row.players) as Players),
      changed_by: isTheirs && name !== null ? { name, avatarId } : null,
      changed_at: isTheirs ? row.changed_at : null,
      auto_stop_at: row.auto_stop_at,
    };
  });
}

/** Starts or stops a server in a member's name, and says what comes of it. */
export async function switchServer(
  { db, log }: Context,
  manager: Manager,
  member: Member,
  id: number,
  wanted: SwitchAction,
): Promise<string> {
  const row = await findGameServer(db, id);
  if (!row) throw refuse("M404");
  const outcome = await manager.switch(id, wanted, { id: member.id, avatarId: member.avatarId });
  log.info("game-server-wanted", { server: id, user: member.id, wanted, outcome: outcome ?? "unreachable" });
  switch (outcome) {
    case "starting":
      return `${row.display_name} wird gestartet.`;
    case "running":
      return `${row.display_name} läuft bereits.`;
    case "stopping":
      return `${row.display_name} wird heruntergefahren.`;
    case "off":
      return `${row.display_name} ist bereits aus.`;
    case "busy":
      throw refuse("M409");
    default:
      throw refuse("M503engine");
  }
}

/** Lets an empty server wait anew. */
export async function keepServerRunning({ db }: Context, manager: Manager, id: number): Promise<string> {
  const row = await findGameServer(db, id);
  if (!row) throw refuse("M404");
  await manager.keepRunning(id);
  return `${row.display_name} läuft weiter.`;
}

/** What an administrator sets up. `ref` is what the driver calls it. */
export interface GameServerSetup extends Settings {
  readonly driver: DriverKind;
}

type BaseContext = Pick<Context, "db" | "clock" | "config">;

/**
 * Adds a server at the end of the list. `missing`: there is no such container, unit or program. An engine that cannot be
 * asked is believed.
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

/** Looks at a server now. Null: there is none of this id. */
export async function testGameServer(
  { db, clock, config }: BaseContext,
  id: number,
  drivers: Drivers = createDrivers(config),
): Promise<{ kind: "unreachable" | "missing" } | { kind: "found"; state: ServerState } | null> {
  const row = await findGameServer(db, id);
  return row ? inspectServer(row, drivers, clock.now()) : null;
}

/** What a server is doing, seen by whoever asks and not by the manager. */
export async function inspectServer(
  row: GameServerRow,
  drivers: Drivers,
  now: number,
): Promise<{ kind: "unreachable" | "missing" } | { kind: "found"; state: ServerState }> {
  const driver = drivers[row.driver as DriverKind];
  const seen = await driver?.inspect({ id: row.id, ref: row.ref, graceSeconds: row.grace_seconds });
  if (seen?.kind !== "found") return { kind: seen?.kind ?? "unreachable" };
  const changing = row.changing_until > now ? (row.changing as SwitchAction | null) : null;
  const wish = { wanted: row.wanted as SwitchAction | null, wantedAt: row.changed_at };
  return {
    kind: "found",
    state: toServerState(deriveStatus(statusOf(row), seen, { ...wish, changing, hasAnswered: null, now })),
  };
}
