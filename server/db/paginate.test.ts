import { expect, test } from "vitest";

import { paginate } from "./paginate.ts";

test("other work runs between two pages, even if the database answers at once", async () => {
  const order: string[] = [];
  const pages = paginate({ id: 0 }, async ({ id }) => (id < 3 ? [{ id: id + 1 }] : []));
  setImmediate(() => order.push("other work"));
  for await (const rows of pages) order.push(`page ${rows[0]!.id}`);
  expect(order).toEqual(["page 1", "other work", "page 2", "page 3"]);
});
