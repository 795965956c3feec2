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

/** One line of the agreement between browser and server; everything not opened here stays closed. */
export interface Endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Who extends Audience = Audience,
  Query extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Answers to GET may be compressed, so no secret stands in them (docs/decisions/0028). */
  readonly method: "GET" | "POST" | "DELETE";
  /** Path with `:name` placeholders, e.g. `/api/user/:id/avatar`. */
  readonly path: string;
  readonly who: Who;
  /** Defaults to `token` for everything but GET. */
  readonly csrf?: CsrfProtection;
  readonly rate: Rate;
  /** Largest request body in bytes; 0 for calls without one. */
  readonly maxBody: number;
  readonly params?: Params;
  /** What may follow the `?`; a wrong value is a 422 at its name. */
  readonly query?: Query;
  readonly body?: Body;
  /** What leaves the server: unknown fields are dropped, a wrong shape fails loudly. None for 204. */
  readonly reply?: Reply;
  /** Content type of a reply that is a file instead of JSON; the handler may name another one. */
  readonly media?: string;
  /** Status of success, 200 unless given. */
  readonly status?: 201 | 204;
  /**
   * `form`: also accepts application/x-www-form-urlencoded; `ignored`: a body may come and is not read;
   * `multipart`: a form with one file in `fileField`, and nothing else.
   */
  readonly accepts?: "form" | "ignored" | "multipart";
  /** Where the file of a multipart form stands; what is wrong with it is told at this field. */
  readonly fileField?: string;
  /** Largest file in that form, in bytes. */
  readonly maxFile?: number;
}

/** Keeps the literal types of an endpoint, so that both sides of the wire infer params, body and reply from it. */
export function endpoint<
  Params extends z.ZodMiniType = z.ZodMiniType<Record<string, never>>,
  Body extends z.ZodMiniType = z.ZodMiniType<undefined>,
  Reply extends z.ZodMiniType = z.ZodMiniType<undefined>,
  const Who extends Audience = Audience,
  Query extends z.ZodMiniType = z.ZodMiniType<Record<string, never>>,
>(definition: Endpoint<Params, Body, Reply, Who, Query>): Endpoint<Params, Body, Reply, Who, Query> {
  return definition;
}

export type ParamsOf<E> = E extends Endpoint<infer P, infer _B, infer _R> ? z.output<P> : never;
export type QueryOf<E> = E extends Endpoint<infer _P, infer _B, infer _R, infer _W, infer Q> ? z.output<Q> : never;
export type BodyOf<E> = E extends Endpoint<infer _P, infer B, infer _R> ? z.output<B> : never;
/** What a form sends, before defaults are filled in. */
export type InputOf<E> = E extends Endpoint<infer _P, infer B, infer _R> ? z.input<B> : never;
export type ReplyOf<E> = E extends Endpoint<infer _P, infer _B, infer R> ? z.output<R> : never;

/** The proof an endpoint demands, its default applied. */
export function csrfProtectionOf(definition: Endpoint): CsrfProtection {
  return definition.csrf ?? (definition.method === "GET" ? "none" : "token");
}
