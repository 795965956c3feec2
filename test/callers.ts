import { type Endpoint, proofOf } from "#contract/endpoint.ts";
import { setDisabled } from "#server/features/members/store.ts";
import type { Row } from "./contract-row.ts";
import { table } from "./contract-table.ts";
import { furnish } from "./furniture.ts";
import { type House, password } from "./open-house.ts";
import type { Answer, Visitor } from "./visitor.ts";

/** The columns of the contract's table, in order, and how each of them comes to the door. */
const columns: readonly [name: string, bring: (house: House) => Promise<Visitor>][] = [
  ["a stranger without a token", async (house) => house.visitor()],
  ["a stranger", stranger],
  ["Greta, a member", (house) => logIn(house, "greta")],
  ["Carla, who may see game servers", (house) => logIn(house, "carla")],
  ["Ben, who may see and toggle them", (house) => logIn(house, "ben")],
  ["Hannes, an administrator", (house) => logIn(house, "hannes")],
  ["Frieda, who was disabled", disabledFrieda],
  ["David, whose session ended", davidAfterwards],
];

export const callers = columns.map(([name]) => name);

/** Seats everybody and furnishes the house, once. */
export async function seatCallers(house: House): Promise<void> {
  for (const uname of ["greta", "carla", "ben", "frieda", "david"]) await house.seat(uname);
  await house.seat("hannes", ["admin"]);
  await furnish(house);
}

/** A new visitor for one column, with the cookies that she or he would have. */
export function bringCaller(house: House, column: number): Promise<Visitor> {
  // Of too many sessions the oldest goes; on a clock that stands still none would be older.
  house.clock.time += 1000;
  return columns[column]![1](house);
}

/** A new visitor for each column. */
export function gatherCallers(house: House): Promise<Visitor[]> {
  return Promise.all(columns.map((_, column) => bringCaller(house, column)));
}

/** Calls an endpoint the way our page does: token or header where the contract asks for them, JSON where it has a body. */
export async function call(
  house: House,
  visitor: Visitor,
  endpoint: Endpoint,
  change: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Answer> {
  const row = rowOf(endpoint);
  const meant = await row.body?.(house);
  const body = change.body ?? (meant instanceof Buffer ? meant : meant && JSON.stringify(meant));
  return visitor.send(change.method ?? endpoint.method, row.path ?? endpoint.path, {
    ...(body !== undefined && { body }),
    headers: {
      ...(proofOf(endpoint) !== "none" && { "x-requested-with": "XMLHttpRequest" }),
      ...(proofOf(endpoint) === "token" && visitor.token !== "" && { "x-xsrf-token": visitor.token }),
      ...(body !== undefined && { "content-type": row.type ?? "application/json" }),
      ...row.headers,
      ...change.headers,
    },
  });
}

export function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

/** The endpoint's line in the table; without one nobody knows who may call it. */
export function rowOf(endpoint: Endpoint): Row {
  const row = table[nameOf(endpoint)];
  if (!row) throw new Error(`${nameOf(endpoint)} has no row in test/contract-table.ts.`);
  return row;
}

async function stranger(house: House): Promise<Visitor> {
  const visitor = house.visitor();
  await visitor.get("/sanctum/csrf-cookie");
  return visitor;
}

async function logIn(house: House, uname: string): Promise<Visitor> {
  const visitor = house.visitor();
  const { status, text } = await visitor.post("/api/login", { uname, password });
  if (status !== 200) throw new Error(`${uname} could not log in: ${status} ${text}`);
  return visitor;
}

async function disabledFrieda(house: House): Promise<Visitor> {
  const { id } = await house.db
    .selectFrom("users")
    .select("id")
    .where("uname", "=", "frieda")
    .executeTakeFirstOrThrow();
  await setDisabled(house.db, id, null);
  const frieda = await logIn(house, "frieda");
  await setDisabled(house.db, id, house.clock.now());
  return frieda;
}

async function davidAfterwards(house: House): Promise<Visitor> {
  const david = await logIn(house, "david");
  const cookies = new Map(david.cookies);
  await david.post("/api/logout");
  for (const [name, value] of cookies) david.cookies.set(name, value);
  return david;
}
