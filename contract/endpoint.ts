import type * as z from "zod/mini";

/** The permissions a member can hold. `admin` implies neither of the others. */
export const permissions = ["see-game-servers", "toggle-game-servers", "admin"] as const;
export type Permission = (typeof permissions)[number];

/** Who may call: everyone, every member, or members who hold all the permissions listed. */
export type Audience = "everyone" | "member" | readonly Permission[];

/**
 * How a call proves that our own page sent it. `token`: the session's CSRF token in a header.
 * `requested-with`: the specification's logout is a GET that changes state, so it needs X-Requested-With.
 */
export type CsrfProtection = "token" | "requested-with" | "none";

/** At most `limit` calls within `seconds`, counted per client address, per session or per member. */
export interface Rate {
  readonly per: "ip" | "session" | "member";
  readonly limit: number;
  readonly seconds: number;
}

/** The one file of a multipart form: its field, the German label of that field, and its largest size. */
export interface FormFile {
  readonly field: string;
  readonly label: string;
  readonly maxBytes: number;
}

type Method = "GET" | "POST" | "DELETE";

interface Schemas<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Who extends Audience = Audience,
  Query extends z.ZodMiniType = z.ZodMiniType,
> {
  readonly who: Who;
  readonly params?: Params;
  /** Calls of a member a day, besides those a minute: more than anybody needs, and little enough that nothing is filled with it. */
  readonly perDay?: number;
  /** What may follow the `?`; a wrong value is a 422 at its name. */
  readonly query?: Query;
  /** An object whose fields all have a label (contract/labels.ts). */
  readonly body?: Body;
  /** What leaves the server: unknown fields are dropped, a wrong shape is a 500. None for 204. */
  readonly reply?: Reply;
  /** Content type of a reply that is a file instead of JSON; the handler may set another one. */
  readonly media?: string;
  /** 423 unless the password was entered in this session within the last three hours. */
  readonly needsRecentPassword?: true;
  /** Status of success, 200 unless given. */
  readonly status?: 201 | 204;
  /** Also accepts application/x-www-form-urlencoded. */
  readonly acceptsForm?: boolean;
  /** The body is a multipart form with this file and nothing else. */
  readonly file?: FormFile;
}

/** What the server does for one address: who may call it how often, what comes in and what goes out. */
export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Who extends Audience = Audience,
  Query extends z.ZodMiniType = z.ZodMiniType,
> extends Schemas<Params, Body, Reply, Who, Query> {
  /** Replies to GET may be compressed, so they must not contain a secret (docs/decisions/0028). */
  readonly method: Method;
  /** Path with `:name` placeholders, e.g. `/api/user/:id/avatar`. */
  readonly path: string;
  readonly csrf: CsrfProtection;
  readonly rate: Rate;
  /** Largest request body in bytes; 0 for calls without one. */
  readonly maxBody: number;
}

interface Definition<
  Params extends z.ZodMiniType,
  Body extends z.ZodMiniType,
  Reply extends z.ZodMiniType,
  Who extends Audience,
  Query extends z.ZodMiniType,
> extends Schemas<Params, Body, Reply, Who, Query> {
  /** `token` unless given, and `none` for GET. */
  readonly csrf?: CsrfProtection;
  /**
   * Calls a minute, per client address where everyone may call, else per member. Unless given: 120 for GET and 30 for the
   * other methods.
   */
  readonly perMinute?: number;
  /** In place of `perMinute`, for another window or another count. */
  readonly rate?: Rate;
  /** 0 for GET and 1024 for the other methods unless given; a multipart form may be as large as its file needs. */
  readonly maxBody?: number;
}

/** Room for the parts of a multipart form around its file, in bytes. */
const multipartOverhead = 16 * 1024;

/**
 * Defines an endpoint, e.g. `endpoint("GET /api/user/avatars", { who: "member", reply })`. Both sides of the wire infer params,
 * query, body and reply from it. Nobody may call what `who` does not allow.
 */
export function endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType<Record<string, never>>,
  Body extends z.ZodMiniType = z.ZodMiniType<undefined>,
  Reply extends z.ZodMiniType = z.ZodMiniType<undefined>,
  const Who extends Audience = Audience,
  Query extends z.ZodMiniType = z.ZodMiniType<Record<string, never>>,
>(
  address: `${Method} /${string}`,
  { perMinute, ...definition }: Definition<Params, Body, Reply, Who, Query>,
): Endpoint<Params, Body, Reply, Who, Query> {
  const [method, path] = address.split(" ") as [Method, string];
  const isGet = method === "GET";
  const { file } = definition;
  return {
    method,
    path,
    csrf: isGet ? "none" : "token",
    rate: {
      per: definition.who === "everyone" ? "ip" : "member",
      limit: perMinute ?? (isGet ? 120 : 30),
      seconds: 60,
    },
    maxBody: file ? file.maxBytes + multipartOverhead : isGet ? 0 : 1024,
    ...definition,
  };
}

export type ParamsOf<E> = E extends Endpoint<infer P, infer _B, infer _R> ? z.output<P> : never;
export type QueryOf<E> = E extends Endpoint<infer _P, infer _B, infer _R, infer _W, infer Q> ? z.output<Q> : never;
export type BodyOf<E> = E extends Endpoint<infer _P, infer B, infer _R> ? z.output<B> : never;
/** What a form sends, before defaults are filled in. */
export type InputOf<E> = E extends Endpoint<infer _P, infer B, infer _R> ? z.input<B> : never;
export type ReplyOf<E> = E extends Endpoint<infer _P, infer _B, infer R> ? z.output<R> : never;
/** What a handler returns, before defaults are filled in. */
export type ReplyInputOf<E> = E extends Endpoint<infer _P, infer _B, infer R> ? z.input<R> : never;
