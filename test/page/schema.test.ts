import { readdirSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type * as z from "zod/mini";

const contract = join(import.meta.dirname, "../../contract");

interface Parser {
  safeParse(value: unknown): { success: boolean; data?: unknown };
}

test(
  "Browsers accept the same answers, events and messages as the library, and read the same from them",
  { timeout: 60_000 },
  async () => {
    const byLibrary = await readSchemas();
    vi.resetModules();
    vi.doMock("zod/mini", () => import("#web/platform/schema.ts"));
    const byBrowser = await readSchemas();
    vi.doUnmock("zod/mini");
    expect(byLibrary.size).toBeGreaterThan(80);
    expect([...byBrowser.keys()]).toEqual([...byLibrary.keys()]);

    let accepted = 0;
    for (const [name, schema] of byLibrary) {
      fc.assert(
        fc.property(valueLike(schema), (value) => {
          const expected = schema.safeParse(value);
          const found = byBrowser.get(name)!.safeParse(value);
          if (expected.success) accepted += 1;
          expect([name, found.success, found.data]).toEqual([name, expected.success, expected.data]);
        }),
        { numRuns: 30 },
      );
    }
    expect(accepted).toBeGreaterThan(1000);
  },
);

/** What pages read: replies, data of events, and what else is exported but single fields, which only the server checks. */
async function readSchemas(): Promise<Map<string, Parser>> {
  const schemas = new Map<string, Parser>();
  for (const file of readdirSync(contract).filter((name) => name !== "fields.ts")) {
    const exports = (await import(join(contract, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exports)) {
      const { reply, data } = Object(value) as { reply?: unknown; data?: unknown };
      for (const schema of [value, reply, data]) {
        if (typeof schema !== "function" && typeof (schema as Parser | undefined)?.safeParse === "function")
          schemas.set(`${file} ${name}`, schema as Parser);
      }
    }
  }
  return schemas;
}

/** Mostly values of the schema's shape, with something else here and there. */
function valueLike(schema: Parser): fc.Arbitrary<unknown> {
  const { def } = (schema as unknown as z.core.$ZodType)._zod as unknown as { def: Definition };
  return fc.oneof({ arbitrary: shapedLike(def), weight: 30 }, { arbitrary: fc.anything(), weight: 1 });
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Parser>>;
  readonly element?: Parser;
  readonly innerType?: Parser;
  readonly in?: Parser;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
}

function shapedLike(def: Definition): fc.Arbitrary<unknown> {
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape!).map(([name, schema]) => [name, valueLike(schema)] as const);
      // The library leaves out a field of this name; no answer has one.
      const otherName = fc.string().filter((name) => name !== "__proto__");
      return fc
        .tuple(fc.record(Object.fromEntries(fields)), fc.dictionary(otherName, fc.anything(), { maxKeys: 1 }))
        .map(([known, more]) => ({ ...more, ...known }));
    }
    case "array":
      return fc.oneof(
        ...[0, 1, 3, 7].map((count) => fc.array(valueLike(def.element!), { minLength: count, maxLength: count })),
      );
    case "nullable":
      return fc.option(valueLike(def.innerType!), { nil: null });
    case "optional":
    case "default":
      return fc.option(valueLike(def.innerType!), { nil: undefined });
    case "pipe":
      return valueLike(def.in!);
    case "enum":
      return fc.constantFrom(...Object.values(def.entries!));
    case "literal":
      return fc.constantFrom(...def.values!);
    case "string":
      return fc.oneof(
        fc.constantFrom("", "2026-11-20", "2026-02-30", "/beercounter", "12345678", "a".repeat(22), " Anna ", "!@!"),
        fc.emailAddress(),
        fc.string(),
      );
    case "number":
      return fc.oneof(fc.nat(), fc.double(), fc.integer());
    case "unknown":
      return fc.anything();
    case "boolean":
      return fc.boolean();
    default:
      throw new Error(`No values for ${def.type}: web/platform/schema.ts may not know it either.`);
  }
}
