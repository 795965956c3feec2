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

/** One method and path: who may call it and how often, what a request holds, and what the reply holds. */
export interface Endpoint {
  /** Replies to GET may be compressed, so they must not contain a secret (docs/decisions/0028). */
  readonly method: Method;
  /** Path with `:name` placeholders, e.g. `/api/user/:id/avatar`. */
  readonly path: string;
  readonly who: Audience;
  readonly params?: z.ZodMiniType;
  /** What may follow the `?`; a wrong value is a 422 at its name. */
  readonly query?: z.ZodMiniType;
  /** An object whose fields all have a label (contract/labels.ts). */
  readonly body?: z.ZodMiniType;
  /** What leaves the server: unknown fields are dropped, a wrong shape is a 500. None for 204. */
  readonly reply?: z.ZodMiniType;
  /** Content type of a reply that is a file instead of JSON; the handler may set another one. */
  readonly media?: string;
  /** Status of success, 200 unless given. */
  readonly status?: 201 | 204;
  /** Also accepts application/x-www-form-urlencoded. */
  readonly acceptsForm?: boolean;
  /** The body is a multipart form with this file, and with nothing else but the fields of `form`. */
  readonly file?: FormFile;
  /** An object of optional texts, at most two, that the multipart form may have beside its file; each has a label. */
  readonly form?: z.ZodMiniType;
  /** Largest request body in bytes; 0 for GET and 1024 for the other methods unless given. A form may be as large as its file needs. */
  readonly maxBody: number;
  /** `token` unless given, and `none` for GET. */
  readonly csrf: CsrfProtection;
  /** 423 unless the password was entered in this session within the last three hours. */
  readonly needsRecentPassword?: true;
  /** Per client address where everyone may call, else per member; 120 a minute for GET and 30 for the other methods unless given. */
  readonly rate: Rate;
  /** Calls of a member a day, besides those a minute: more than anybody needs, and little enough that nothing is filled with it. */
  readonly perDay?: number;
}

/** An endpoint without its method and path; what has a default may be left out. */
interface Definition extends Partial<Omit<Endpoint, "method" | "path" | "who">>, Pick<Endpoint, "who"> {
  /** In place of `rate`: only another limit a minute. */
  readonly perMinute?: number;
}

/** Room for the parts of a multipart form around its file, in bytes. */
const multipartOverhead = 16 * 1024;

/**
 * Defines an endpoint, e.g. `endpoint("GET /api/user/avatars", { who: "member", reply })`. Both sides of the wire infer params,
 * query, body and reply from it. Nobody may call what `who` does not allow.
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
/** Texts beside the file of a multipart form. */
export type FormOf<E> = E extends { form: infer F extends z.ZodMiniType } ? z.output<F> : Nothing;
/** What a form sends, before defaults are filled in. */
export type InputOf<E> = E extends { body: infer B extends z.ZodMiniType } ? z.input<B> : undefined;
export type ReplyOf<E> = E extends { reply: infer R extends z.ZodMiniType } ? z.output<R> : undefined;
/** What a handler returns, before defaults are filled in. */
export type ReplyInputOf<E> = E extends { reply: infer R extends z.ZodMiniType } ? z.input<R> : undefined;
