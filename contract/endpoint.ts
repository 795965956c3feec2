import type * as z from "zod/mini";

/** The permissions a member can hold. `admin` includes neither of the other two. */
export const permissions = ["see-game-servers", "toggle-game-servers", "admin"] as const;
export type Permission = (typeof permissions)[number];

/** Permitted callers: everyone, every member, or members who hold all the permissions listed. */
export type Audience = "everyone" | "member" | readonly Permission[];

/**
 * Abilities of an API token. `read`: calls endpoints that return data; `tap`: only books and undoes
 * beers.
 */
export const tokenScopes = ["read", "tap"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/**
 * Proof that our own page sent the request. `token`: the session's CSRF token in a header.
 * `requested-with`: the header X-Requested-With, for the logout, a GET that changes state.
 */
export type CsrfProtection = "token" | "requested-with" | "none";

/** At most `limit` calls within `seconds`, counted per client address, network, session or member. */
export interface Rate {
  readonly per: "ip" | "network" | "session" | "member";
  readonly limit: number;
  readonly seconds: number;
}

/** The single file of a multipart form: its field name, German label and maximum size. */
export interface FormFile {
  readonly field: string;
  readonly label: string;
  readonly maxBytes: number;
  /** `true` if the text for a larger file says the limit in kilobytes, as the first clients expect, instead of MB. */
  readonly isLimitInKilobytes?: boolean;
}

type Method = "GET" | "POST" | "DELETE";

/** A method and path with its audience, rate limit, request schemas and reply schema. */
export interface Endpoint {
  /**
   * Replies to GET may be compressed, so they must not contain a secret (BREACH attack,
   * docs/decisions/0028).
   */
  readonly method: Method;
  /** Path with `:name` placeholders, e.g. `/api/user/:id/avatar`. */
  readonly path: string;
  readonly who: Audience;
  /**
   * Scopes of the API tokens that may call the endpoint; if missing, no API token may. Ignored if
   * `who` is `everyone`.
   */
  readonly tokens?: readonly TokenScope[];
  readonly params?: z.ZodMiniType;
  /**
   * Schema of the query parameters. The server answers an invalid value with 422 and names the
   * parameter.
   */
  readonly query?: z.ZodMiniType;
  /**
   * Schema of the JSON body: an object whose fields all have a German label (contract/labels.ts).
   */
  readonly body?: z.ZodMiniType;
  /**
   * Schema of the reply; missing for 204. Unknown fields are dropped; a reply of the wrong shape
   * becomes a 500.
   */
  readonly reply?: z.ZodMiniType;
  /** Content type of a file reply; the handler may set another one. */
  readonly media?: string;
  /** HTTP status of a successful call; default: 200. */
  readonly status?: 201 | 204;
  /** `true` if the endpoint also accepts application/x-www-form-urlencoded. */
  readonly acceptsForm?: boolean;
  /** If present, the body is a multipart form with this file and the fields of `form`. */
  readonly file?: FormFile;
  /**
   * Schema of the texts in the multipart form: at most two optional fields, each with a German
   * label.
   */
  readonly form?: z.ZodMiniType;
  /**
   * Maximum request body in bytes. Default: 0 for GET; for uploads, the maximum size of the file
   * and its form; otherwise 1024.
   */
  readonly maxBody: number;
  /** Default: `none` for GET, otherwise `token`. */
  readonly csrf: CsrfProtection;
  /**
   * If `true`, the server answers 423 without a recent password: a password or passkey entered, or
   * a login at the OpenID provider, in this session within the last three hours.
   */
  readonly needsRecentPassword?: true;
  /**
   * Default: 120 calls a minute for GET, otherwise 30; counted per client address if `who` is
   * `everyone`, otherwise per member.
   */
  readonly rate: Rate;
  /**
   * Maximum calls per member and day, in addition to `rate`. Bounds the disk space that a member
   * can use.
   */
  readonly perDay?: number;
  /**
   * If `true`, `rate` and `perDay` are divided by the number of running instances, so that a member
   * cannot multiply them by spreading calls.
   */
  readonly isRateDivided?: true;
}

/**
 * The second argument of `endpoint()`: an endpoint without method and path, with optional defaults.
 */
interface Definition extends Partial<Omit<Endpoint, "method" | "path" | "who">>, Pick<Endpoint, "who"> {
  /** Maximum calls per minute; changes only the limit of the default `rate`. */
  readonly perMinute?: number;
}

/** Bytes reserved for the parts of a multipart form around its file. */
const multipartOverhead = 16 * 1024;

/**
 * Defines an endpoint, e.g. `endpoint("GET /api/user/avatars", { who: "member", reply })`. Server
 * and web infer the types of params, query, body and reply. Calls are denied unless `who` allows
 * them.
 */
export function endpoint<const Given extends Definition>(
  address: `${Method} /${string}`,
  given: Given & { [Unknown in Exclude<keyof Given, keyof Definition>]: never },
): Endpoint & Given {
  const [method, path] = address.split(" ") as [Method, string];
  const isGet = method === "GET";
  const { who, file, perMinute }: Definition = given;
  const defaults: Endpoint = {
    who,
    method,
    path,
    csrf: isGet ? "none" : "token",
    rate: {
      per: who === "everyone" ? "ip" : "member",
      limit: perMinute ?? (isGet ? 120 : 30),
      seconds: 60,
    },
    maxBody: file ? file.maxBytes + multipartOverhead : isGet ? 0 : 1024,
  };
  return { ...defaults, ...given };
}

type Nothing = Record<string, never>;

export type ParamsOf<E> = E extends { params: infer P extends z.ZodMiniType } ? z.output<P> : Nothing;
export type QueryOf<E> = E extends { query: infer Q extends z.ZodMiniType } ? z.output<Q> : Nothing;
export type BodyOf<E> = E extends { body: infer B extends z.ZodMiniType } ? z.output<B> : undefined;
/** The parsed texts of a multipart form. */
export type FormOf<E> = E extends { form: infer F extends z.ZodMiniType } ? z.output<F> : Nothing;
/** The body as clients send it: fields with a default are optional. */
export type InputOf<E> = E extends { body: infer B extends z.ZodMiniType } ? z.input<B> : undefined;
export type ReplyOf<E> = E extends { reply: infer R extends z.ZodMiniType } ? z.output<R> : undefined;
/** The reply as handlers return it: fields with a default are optional. */
export type ReplyInputOf<E> = E extends { reply: infer R extends z.ZodMiniType } ? z.input<R> : undefined;
