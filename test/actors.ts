import type { Endpoint } from "#contract/endpoint.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import type { ClientResponse, Client } from "./client.ts";
import type { ContractRow } from "./contract-row.ts";
import { contractRows, insertContractFixtures } from "./contract-table.ts";
import { type TestApp, password } from "./test-app.ts";

/** The columns of the contract's table, in order, and how its client is made. */
const actors: readonly [name: string, createClient: (app: TestApp) => Promise<Client>][] = [
  ["a stranger without a token", async (app) => app.createClient()],
  ["a stranger", createGuest],
  ["Greta, a member", (app) => logIn(app, "greta")],
  ["Carla, who may see game servers", (app) => logIn(app, "carla")],
  ["Ben, who may see and toggle them", (app) => logIn(app, "ben")],
  ["Hannes, an administrator", (app) => logIn(app, "hannes")],
  ["Frieda, who was disabled", createDisabledFrieda],
  ["David, whose session ended", createLoggedOutDavid],
];

export const actorNames = actors.map(([name]) => name);

/** Creates the users and the contract's fixtures, once per app. */
export async function createActors(app: TestApp): Promise<void> {
  for (const uname of ["greta", "carla", "ben", "frieda", "david"]) await app.createUser(uname);
  await app.createUser("hannes", ["admin"]);
  await insertContractFixtures(app);
}

/** A new client for one column, with its cookies. */
export function createActorClient(app: TestApp, column: number): Promise<Client> {
  // Of too many sessions the oldest goes; on a clock that stands still none would be older.
  app.clock.time += 1000;
  return actors[column]![1](app);
}

/** A new client for each column. */
export function createActorClients(app: TestApp): Promise<Client[]> {
  return Promise.all(actors.map((_, column) => createActorClient(app, column)));
}

/** Calls an endpoint the way our page does: token or header where the contract asks for them, JSON where it has a body. */
export async function callEndpoint(
  app: TestApp,
  client: Client,
  endpoint: Endpoint,
  change: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<ClientResponse> {
  const row = findRow(endpoint);
  const meant = await row.body?.(app);
  const body = change.body ?? (meant instanceof Buffer ? meant : meant && JSON.stringify(meant));
  return client.send(change.method ?? endpoint.method, row.path ?? endpoint.path, {
    ...(body !== undefined && { body }),
    headers: {
      ...(endpoint.csrf !== "none" && { "x-requested-with": "XMLHttpRequest" }),
      ...(endpoint.csrf === "token" && client.csrfToken !== "" && { "x-xsrf-token": client.csrfToken }),
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
export function findRow(endpoint: Endpoint): ContractRow {
  const row = contractRows[nameOf(endpoint)];
  if (!row) throw new Error(`${nameOf(endpoint)} has no row in the contract-rows.ts of its feature.`);
  return row;
}

async function createGuest(app: TestApp): Promise<Client> {
  const client = app.createClient();
  await client.get("/sanctum/csrf-cookie");
  return client;
}

async function logIn(app: TestApp, uname: string): Promise<Client> {
  const client = app.createClient();
  const { status, text } = await client.post("/api/login", { uname, password });
  if (status !== 200) throw new Error(`${uname} could not log in: ${status} ${text}`);
  return client;
}

async function createDisabledFrieda(app: TestApp): Promise<Client> {
  const { id } = await app.db.selectFrom("users").select("id").where("uname", "=", "frieda").executeTakeFirstOrThrow();
  await updateDisabledAt(app.db, id, null);
  const frieda = await logIn(app, "frieda");
  await updateDisabledAt(app.db, id, app.clock.now());
  return frieda;
}

async function createLoggedOutDavid(app: TestApp): Promise<Client> {
  const david = await logIn(app, "david");
  const cookies = new Map(david.cookies);
  await david.post("/api/logout");
  for (const [name, value] of cookies) david.cookies.set(name, value);
  return david;
}
