import type { TestApp } from "./test-app.ts";

/** The expected status for each of `actorNames` (test/actors.ts), in that order. */
export type Statuses = readonly [number, number, number, number, number, number, number, number];

/** One endpoint: how it is called when everything is right, and what each actor is answered. */
export interface ContractRow {
  readonly statuses: Statuses;
  /** Where the path has placeholders: the path to call, e.g. `/api/x/1`. */
  readonly path?: string;
  /** What its own page sends along. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON; bytes are sent as they are. */
  readonly body?: (app: TestApp) => object | Promise<object>;
  /** The content type, where the body is not JSON. */
  readonly type?: string;
  /**
   * Every field of a successful answer, and there are no others; `[]` stands for the items of a list. The answer is that to Ben, or to
   * the administrator where members may not.
   */
  readonly fields: readonly string[];
}

/** The rows of a feature, by method and path: `GET /api/x/:id`. */
export type ContractRows = Readonly<Record<string, ContractRow>>;

/** Guests of the first column have no CSRF token, which is checked before the login. */
type Method = "GET" | "change";
const withoutToken = { GET: 401, change: 419 } as const;

export function everyone(status: number): Statuses {
  return [status, status, status, status, status, status, status, status];
}

/** Everybody who has a CSRF token. */
export function everyoneWithToken(status: number): Statuses {
  return [419, status, status, status, status, status, status, status];
}

export function members(status: number, method: Method = "change"): Statuses {
  return [withoutToken[method], 401, status, status, status, status, 401, 401];
}

/** Members who may see game servers; administrators may not because of that alone. */
export function viewers(status: number): Statuses {
  return [401, 401, 403, status, status, 403, 401, 401];
}

/** Members who may start and stop game servers. */
export function switchers(status: number): Statuses {
  return [419, 401, 403, 403, status, 403, 401, 401];
}

export function admins(status: number, method: Method = "change"): Statuses {
  return [withoutToken[method], 401, 403, 403, 403, status, 401, 401];
}

export function prefixed(prefix: string, fields: readonly string[]): string[] {
  return fields.map((field) => prefix + field);
}

/** The member that calls, as several endpoints answer with it. */
export const userFields = ["id", "uname", "name", "email", "permissions[]", "avatarId", "profile_picture"];
