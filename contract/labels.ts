import * as z from "zod/mini";

import type { Endpoint } from "./endpoint.ts";

const labels = z.registry<{ readonly label: string }>();

/**
 * Returns a copy of the schema with a German label, which appears in error messages: `uname:
 * field("Benutzername", schema)`. A copy, so that one schema can have several labels.
 */
export function field<Schema extends z.ZodMiniType>(label: string, schema: Schema): Schema {
  const labelled = schema.clone();
  labels.add(labelled, { label });
  return labelled;
}

/** Returns the German labels of all inputs of an endpoint, by field name. */
export function labelsOf({ params, query, body, file, form }: Endpoint): Readonly<Record<string, string>> {
  const found = new Map(file ? [[file.field, file.label]] : []);
  for (const schema of [params, query, body, form]) {
    for (const [name, fieldSchema] of Object.entries(shapeOf(schema))) {
      const label = labels.get(fieldSchema)?.label;
      if (label !== undefined) found.set(name, label);
    }
  }
  return Object.fromEntries(found);
}

/** Returns the names of body and form fields that lack a German label. */
export function unlabelledFields({ body, form }: Endpoint): string[] {
  return Object.entries({ ...shapeOf(body), ...shapeOf(form) }).flatMap(([name, schema]) =>
    labels.has(schema) ? [] : [name],
  );
}

/** Returns the names of the fields of an endpoint's body. */
export function fieldNamesOf({ body }: Endpoint): string[] {
  return Object.keys(shapeOf(body));
}

/** Returns the fields of `input` that their schemas in `body` accept, parsed. */
export function parseValidFields(body: z.ZodMiniType, input: Readonly<Record<string, unknown>>) {
  const parsed = Object.entries(shapeOf(body)).map(([name, schema]) => [name, schema.safeParse(input[name])] as const);
  return Object.fromEntries(parsed.flatMap(([name, { success, data }]) => (success ? [[name, data]] : [])));
}

function shapeOf(schema: z.ZodMiniType | undefined): Record<string, z.ZodMiniType> {
  return schema instanceof z.ZodMiniObject ? (schema.shape as Record<string, z.ZodMiniType>) : {};
}
