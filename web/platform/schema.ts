/**
 * The part of zod/mini that the contract uses, for browsers: the build puts it in the library's place, which is six times as
 * large. It accepts and returns the same, but does not say what is wrong; only the server has to.
 */

import { regexes } from "zod/v4/core";

type Shape = Readonly<Record<string, Schema>>;
/** Returns the value, maybe changed, or throws. */
type Parse = (value: unknown) => unknown;

/** What happens to fields that the shape does not have. */
type Others = "dropped" | "refused" | "kept";

class Mismatch extends Error {}

class Schema {
  readonly parse: Parse;
  /** Whether a field may be missing. */
  readonly isOptional: boolean;

  constructor(parse: Parse, isOptional = false) {
    this.parse = parse;
    this.isOptional = isOptional;
  }

  safeParse(value: unknown): { success: boolean; data?: unknown } {
    try {
      return { success: true, data: this.parse(value) };
    } catch {
      return { success: false };
    }
  }

  check(...checks: readonly (Parse | Schema)[]): Schema {
    const parsers = checks.map((check) => (check instanceof Schema ? check.parse : check));
    return new Schema((value) => parsers.reduce((current, parse) => parse(current), this.parse(value)));
  }

  clone(): Schema {
    return new Schema(this.parse, this.isOptional);
  }
}

class ObjectSchema extends Schema {
  readonly shape: Shape;

  constructor(shape: Shape, others: Others = "dropped") {
    super((value) => parseObject(shape, others, value));
    this.shape = shape;
  }
}

function parseObject(shape: Shape, others: Others, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Mismatch();
  const found = value as Readonly<Record<string, unknown>>;
  if (others === "refused" && Object.keys(found).some((name) => !Object.hasOwn(shape, name))) throw new Mismatch();
  const fields = Object.entries(shape).filter(([name, { isOptional }]) => !isOptional || name in found);
  const parsed = Object.fromEntries(fields.map(([name, schema]) => [name, schema.parse(found[name])]));
  return others === "kept" ? { ...found, ...parsed } : parsed;
}

/** A value that passes as it is if it has the quality. */
function only(isRight: (value: never) => boolean): Parse {
  return (value) => {
    if (!isRight(value as never)) throw new Mismatch();
    return value;
  };
}

const matches = (pattern: RegExp): Parse => only((text: string) => pattern.test(text));

export { ObjectSchema as ZodMiniObject };
export const core = { $ZodError: Mismatch };
export const safeParse = (schema: Schema, value: unknown) => schema.safeParse(value);
export const registry = () => {
  const known = new Map<Schema, unknown>();
  return {
    add: (schema: Schema, meta: unknown) => known.set(schema, meta),
    get: known.get.bind(known),
    has: known.has.bind(known),
  };
};

export const unknown = () => new Schema((value) => value, true);
export const string = () => new Schema(only((value: unknown) => typeof value === "string"));
export const boolean = () => new Schema(only((value: unknown) => typeof value === "boolean"));
export const number = () => new Schema(only((value: unknown) => Number.isFinite(value)));
export const int = () => new Schema(only((value: unknown) => Number.isSafeInteger(value)));
export const literal = (one: unknown) => new Schema(only((value: unknown) => value === one));
const oneOf = (values: readonly unknown[]) => new Schema(only((value: unknown) => values.includes(value)));
export { oneOf as enum };
export const array = ({ parse }: Schema) =>
  new Schema((value) => (only(Array.isArray)(value) as unknown[]).map((entry) => parse(entry)));
export const object = (shape: Shape) => new ObjectSchema(shape);
export const strictObject = (shape: Shape) => new ObjectSchema(shape, "refused");
export const looseObject = (shape: Shape) => new ObjectSchema(shape, "kept");
export const extend = ({ shape }: ObjectSchema, more: Shape) => new ObjectSchema({ ...shape, ...more });
export const nullable = ({ parse }: Schema) => new Schema((value) => (value === null ? null : parse(value)));
export const optional = ({ parse }: Schema) =>
  new Schema((value) => (value === undefined ? undefined : parse(value)), true);
export const _default = ({ parse }: Schema, fallback: unknown) =>
  new Schema((value) => (value === undefined ? fallback : parse(value)));
export const pipe = (first: Schema, second: Schema) => new Schema((value) => second.parse(first.parse(value)));
export const transform = (change: Parse) => new Schema(change);

export const refine = only;
export const regex = matches;
export const startsWith = (start: string) => only((text: string) => text.startsWith(start));
export const minLength = (least: number) => only((list: string | unknown[]) => list.length >= least);
export const maxLength = (most: number) => only((list: string | unknown[]) => list.length <= most);
export const length = (exact: number) => only((list: string | unknown[]) => list.length === exact);
export const positive = () => only((value: number) => value > 0);
export const trim = (): Parse => (text) => (text as string).trim();
export const normalize =
  (form: string): Parse =>
  (text) =>
    (text as string).normalize(form);
export const email = () => string().check(matches(regexes.email));
export const iso = {
  date: () => string().check(only((day: string) => new Date(day).toISOString().slice(0, 10) === day)),
};
