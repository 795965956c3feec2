import type * as z from "zod/mini";

/** The permissions a member can hold. `admin` implies neither of the others. */
export const permissions = ["see-game-servers", "toggle-game-servers", "admin"] as const;
export type Permission = (typeof permissions)[number];

/** Permitted callers: everyone, every member, or members who hold all the permissions listed. */
export type Audience = "everyone" | "member" | readonly Permission[];

/** Abilities of API tokens: `read` opens some replies, `tap` only books and undoes beers. */
export const tokenScopes = ["read", "tap"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/**
 * Proof that our own page sent a call. `token`: the session's CSRF token in a header. `requested-with`: for the specified logout,
 * a GET that changes state, the header X-Requested-With.
 */
export type CsrfProtection = "token" | "requested-with" | "none";

/** At most `limit` calls within `seconds`, counted per client address, per session or per member. */
export interface Rate {
  readonly per: "ip" | "session" | "member";
  readonly limit: number;
  readonly seconds: number;
}

/** The single file of a multipart form: its field name, German label and maximum size. */
export interface FormFile {
  readonly field: string;
  readonly label: string;
  readonly maxBytes: number;
}

type Method = "GET" | "POST" | "DELETE";

/** A method and path with its audience, rate limit, request schemas and reply schema. */
export interface Endpoint {
  /** Replies to GET may be compressed, so they must not contain a secret (docs/decisions/0028). */
  readonly method: Method;
  /** Path with `:name` placeholders, e.g. `/api/user/:id/avatar`. */
  readonly path: string;
  readonly who: Audience;
  /** Scopes of the API tokens that may call it for their member. Missing: none may. Ignored for `everyone`. */
  readonly tokens?: readonly TokenScope[];
  readonly params?: z.ZodMiniType;
  /** Schema of the query parameters; an invalid value is a 422 at its name. */
  readonly query?: z.ZodMiniType;
  /** An object whose fields all have a label (contract/labels.ts). */
  readonly body?: z.ZodMiniType;
  /** Schema of the reply: unknown fields are dropped, a wrong shape is a 500. Missing for 204. */
  readonly reply?: z.ZodMiniType;
  /** Content type of a file reply; the handler may set another one. */
  readonly media?: string;
  /** Status of success; default: 200. */
  readonly status?: 201 | 204;
  /** Also accepts application/x-www-form-urlencoded. */
  readonly acceptsForm?: boolean;
  /** The body is a multipart form with this file and the fields of `form`. */
  readonly file?: FormFile;
  /** At most two optional texts of the multipart form, each with a label. */
  readonly form?: z.ZodMiniType;
  /** Maximum request body in bytes. Default: 0 for GET, the size of the file for forms, otherwise 1024. */
  readonly maxBody: number;
  /** Default: `none` for GET, otherwise `token`. */
  readonly csrf: CsrfProtection;
  /** 423 unless the password was entered in this session within the last three hours. */
  readonly needsRecentPassword?: true;
  /** Per client address for `everyone`, otherwise per member. Default: 120 a minute for GET, otherwise 30. */
  readonly rate: Rate;
  /** Daily limit per member that protects the disk, in addition to `rate`. */
  readonly perDay?: number;
}

/** An endpoint without method and path; fields with a default are optional. */
interface Definition extends Partial<Omit<Endpoint, "method" | "path" | "who">>, Pick<Endpoint, "who"> {
  /** Replaces only the limit of the default `rate`. */
  readonly perMinute?: number;
}

/** Bytes for the parts of a multipart form around its file. */
const multipartOverhead = 16 * 1024;

/**
 * Defines an endpoint, e.g. `endpoint("GET /api/user/avatars", { who: "member", reply })`. Server and web infer params, query,
 * body and reply from it. Calls are denied unless `who` allows them.
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
/** The body as clients send it, before defaults are applied. */
export type InputOf<E> = E extends { body: infer B extends z.ZodMiniType } ? z.input<B> : undefined;
export type ReplyOf<E> = E extends { reply: infer R extends z.ZodMiniType } ? z.output<R> : undefined;
/** The reply as handlers return it, before defaults are applied. */
export type ReplyInputOf<E> = E extends { reply: infer R extends z.ZodMiniType } ? z.input<R> : undefined;
