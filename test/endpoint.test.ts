import { globSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import * as z from "zod/mini";

import { endpoint, type Endpoint } from "#contract/endpoint.ts";
import { fixedMessage } from "#contract/fields.ts";
import { field, unlabelledFields } from "#contract/labels.ts";

const contract = join(import.meta.dirname, "../contract");
const modules = await Promise.all(
  globSync("*.ts", { cwd: contract }).map((file) => import(join(contract, file)) as Promise<Record<string, unknown>>),
);
const endpoints = modules
  .flatMap((module) => Object.values(module) as Endpoint[])
  .filter((one) => one.path && one.method);

test("every body field has a German label for its validation messages", () => {
  expect(endpoints.length).toBeGreaterThan(50);
  const unlabelled = endpoints.flatMap((one) =>
    unlabelledFields(one).map((name) => `${name} of ${one.method} ${one.path}`),
  );
  expect(unlabelled, 'put field("Label", …) around their whole schemas').toEqual([]);
});

test("a label on a part of a field's schema does not count as the field's label", () => {
  const body = z.object({ item: field("Artikel", z.string()), amount: z.optional(field("Menge", z.int())) });
  expect(unlabelledFields(endpoint("POST /api/shopping", { who: "member", body }))).toEqual(["amount"]);
});

test("endpoint() fills in defaults for all properties that an endpoint leaves out", () => {
  const list = endpoint("GET /api/shopping", { who: "member" });
  expect(list).toMatchObject({ method: "GET", path: "/api/shopping", csrf: "none", maxBody: 0 });
  expect(list.rate).toEqual({ per: "member", limit: 120, seconds: 60 });
  const remove = endpoint("DELETE /api/shopping/:id", { who: ["admin"], reply: fixedMessage("Weg.") });
  expect(remove).toMatchObject({ csrf: "token", maxBody: 1024, rate: { per: "member", limit: 30, seconds: 60 } });
  expect(remove.reply?.parse({})).toEqual({ message: "Weg." });
  const ask = endpoint("POST /api/ask", { who: "everyone", perMinute: 5, maxBody: 9 });
  expect(ask).toMatchObject({ maxBody: 9, rate: { per: "ip", limit: 5, seconds: 60 } });
  const file = { field: "list", label: "Liste", maxBytes: 1_000_000 };
  expect(endpoint("POST /api/upload", { who: "member", file }).maxBody).toBe(1_016_384);
});
