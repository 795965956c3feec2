import { createWebhook } from "#server/features/webhooks/store.ts";
import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

export const exampleCalls = {
  "POST /api/admin/webhooks": {
    body: () => ({ name: "Chat", format: "json", url: "https://chat.example/hook", token: "", events: ["party"] }),
  },
  "POST /api/admin/webhooks/:id": {
    status: 404,
    path: "/api/admin/webhooks/999999",
    body: () => ({ name: "Chat", events: ["party"] }),
  },
  "POST /api/admin/webhooks/:id/resume": { status: 404, path: "/api/admin/webhooks/999999/resume" },
  "POST /api/admin/webhooks/:id/test": { status: 404, path: "/api/admin/webhooks/999999/test" },
  "DELETE /api/admin/webhooks/:id": { status: 404, path: "/api/admin/webhooks/999999" },
} satisfies ExampleCalls;

export const exportedFields = prefixed("webhooks_made[].", ["name", "created_at"]);

/** Inserts one webhook per member, created by that member. */
export async function createContractFixtures({ db }: TestApp): Promise<void> {
  const webhook = { name: "Chat", format: "json", url: "https://chat.example/hook", token: "", secret: "" } as const;
  const times = { created_at: 0, paused_at: 0, failing_since: null, last_beer_id: 0, summarized_at: 0 };
  for (const { id } of await db.selectFrom("users").select("id").execute())
    await createWebhook(db, { ...webhook, ...times, created_by: id });
}
