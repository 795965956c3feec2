import { expect, test } from "vitest";
import * as z from "zod/mini";

import { endpoint } from "#contract/endpoint.ts";
import { fixedMessage } from "#contract/fields.ts";
import { field } from "#contract/labels.ts";
import { createTestApp } from "#test/test-app.ts";
import { handle } from "./handle.ts";

test("a body field without a label is refused when its endpoint is bound, with the repair", async () => {
  const app = await createTestApp();
  const unlabelled = endpoint("POST /api/shopping", {
    who: "member",
    body: z.object({ item: field("Artikel", z.string()), amount: z.number() }),
  });
  expect(() => handle(app.context.http, unlabelled, async () => {})).toThrow(
    'POST /api/shopping: the body field "amount" has no German label. Give it one in the contract, around its whole schema: amount: field("Label", …).',
  );
});

test("an endpoint states only what differs from the defaults", () => {
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
