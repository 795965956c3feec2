import type { Endpoint, Permission, TokenScope } from "#contract/endpoint.ts";
import { createApiToken } from "#server/features/accounts/token-actions.ts";
import { createToken } from "#server/features/accounts/token-store.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import type { ClientResponse, Client } from "./client.ts";
import type { ExampleCall } from "./example-call.ts";
import { exampleCalls, insertContractFixtures } from "./example-calls.ts";
import { type TestApp, password } from "./test-app.ts";

/** A kind of caller. Its `permissions` are `null` if it has no valid login. */
interface Actor {
  readonly name: string;
  readonly permissions: readonly Permission[] | null;
  /**
   * Scope of the API token that this actor calls with; `undefined` for actors without an API token.
   */
  readonly scope?: TokenScope;
  createClient(app: TestApp): Promise<Client>;
}

export const actors: readonly Actor[] = [
  { name: "a stranger without a token", permissions: null, createClient: async (app) => app.createClient() },
  { name: "a stranger", permissions: null, createClient: createGuest },
  { name: "Greta, a member", permissions: [], createClient: (app) => logIn(app, "greta") },
  {
    name: "Carla, who may see game servers",
    permissions: ["see-game-servers"],
    createClient: (app) => logIn(app, "carla"),
  },
  {
    name: "Ben, who may see and toggle them",
    permissions: ["see-game-servers", "toggle-game-servers"],
    createClient: (app) => logIn(app, "ben"),
  },
  { name: "Hannes, an administrator", permissions: ["admin"], createClient: (app) => logIn(app, "hannes") },
  { name: "Frieda, who was disabled", permissions: null, createClient: createDisabledFrieda },
  { name: "David, whose session ended", permissions: null, createClient: createLoggedOutDavid },
  {
    name: "a program that reads for Emil",
    permissions: ["see-game-servers", "toggle-game-servers"],
    scope: "read",
    createClient: (app) => createProgram(app, "read"),
  },
  {
    name: "a program that taps for Emil",
    permissions: ["see-game-servers", "toggle-game-servers"],
    scope: "tap",
    createClient: (app) => createProgram(app, "tap"),
  },
];

/** Creates the users of all actors and the fixtures of the example calls. Call it once per app. */
export async function createActors(app: TestApp): Promise<void> {
  for (const uname of ["greta", "carla", "ben", "frieda", "david", "emil"]) await app.createUser(uname);
  await app.createUser("hannes", ["admin"]);
  await insertContractFixtures(app);
}

/** Returns a new HTTP client with the cookies of the actor at `index`. */
export function createActorClient(app: TestApp, index: number): Promise<Client> {
  // Gives each session a different age, because the server ends the oldest session of a member who
  // has too many.
  app.clock.time += 1000;
  return actors[index]!.createClient(app);
}

export function createActorClients(app: TestApp): Promise<Client[]> {
  return Promise.all(actors.map((_, index) => createActorClient(app, index)));
}

/**
 * Calls an endpoint as our pages do: with the CSRF token, headers and JSON that its contract
 * requires.
 */
export async function callEndpoint(
  app: TestApp,
  client: Client,
  endpoint: Endpoint,
  change: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<ClientResponse> {
  const example = findExample(endpoint);
  const meant = await example.body?.(app);
  const body = change.body ?? (meant instanceof Buffer ? meant : meant && JSON.stringify(meant));
  return client.send(change.method ?? endpoint.method, example.path ?? endpoint.path, {
    ...(body !== undefined && { body }),
    headers: {
      ...(endpoint.csrf !== "none" && { "x-requested-with": "XMLHttpRequest" }),
      ...(endpoint.csrf === "token" && client.csrfToken !== "" && { "x-xsrf-token": client.csrfToken }),
      ...(body !== undefined && { "content-type": example.type ?? "application/json" }),
      ...example.headers,
      ...change.headers,
    },
  });
}

export function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

/** Returns the example call of an endpoint; empty for endpoints without input. */
export function findExample(endpoint: Endpoint): ExampleCall {
  return exampleCalls[nameOf(endpoint)] ?? {};
}

/** Returns the status that each of `actors` receives for the example call. */
export function expectedStatuses(endpoint: Endpoint): readonly number[] {
  const { who, csrf, status: successful = 200 } = endpoint;
  const { status = successful, statuses } = findExample(endpoint);
  if (statuses) return statuses;
  return actors.map(({ permissions, scope }, index) => {
    // The server checks the CSRF token before the login, and ignores API tokens at endpoints for
    // everyone.
    if ((index === 0 || (scope && who === "everyone")) && csrf === "token") return 419;
    if (who === "everyone") return status;
    if (scope && !endpoint.tokens?.includes(scope)) return 403;
    if (permissions === null) return 401;
    // The permission `admin` does not include the other permissions.
    return who === "member" || who.every((permission) => permissions.includes(permission)) ? status : 403;
  });
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

/**
 * Creates a client with an API token of Emil. No other actor is Emil, because the example calls
 * change the caller's password, which revokes the caller's API tokens.
 */
async function createProgram(app: TestApp, scope: TokenScope): Promise<Client> {
  const token = createApiToken();
  const emil = await app.db.selectFrom("users").select("id").where("uname", "=", "emil").executeTakeFirstOrThrow();
  const times = { created_at: app.clock.now(), expires_at: null, last_used_at: null };
  await createToken(app.db, { user_id: emil.id, token_hash: sha256(token), name: scope, scope, ...times });
  return app.createClient({ authorization: `Bearer ${token}` });
}
