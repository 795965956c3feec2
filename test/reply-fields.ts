import * as z from "zod/mini";

/** Returns the path of every field in an answer; `[]` stands for the items of a list. */
export function fieldsOf(value: unknown): string[] {
  return pathsOf(value).map((path) => path.replace(/^\./, ""));
}

function pathsOf(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(pathsOf).map((path) => `[]${path}`))];
  if (typeof value !== "object" || value === null) return [""];
  return Object.entries(value).flatMap(([key, inner]) => pathsOf(inner).map((path) => `.${key}${path}`));
}

/** Returns a function that tells whether a reply schema has this field. */
export function fieldsOfSchema(schema: z.ZodMiniType): (field: string) => boolean {
  const json = z.toJSONSchema(schema, { unrepresentable: "any" }) as JsonSchema;
  return (field) =>
    hasPath(
      json,
      field.split(/\.|(?=\[\])/).filter((part) => part !== ""),
    );
}

interface JsonSchema {
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly type?: string;
}

function hasPath(schema: JsonSchema, path: readonly string[]): boolean {
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.some((variant) => hasPath(variant, path));
  const [part, ...rest] = path;
  // A schema without a type allows everything.
  if (part === undefined || schema.type === undefined) return true;
  const inner =
    part === "[]"
      ? [schema.items, ...(schema.prefixItems ?? [])]
      : [schema.properties?.[part] ?? schema.additionalProperties];
  return inner.some((one) => typeof one === "object" && hasPath(one, rest));
}
