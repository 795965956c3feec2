import { replacePhoto } from "#server/features/parties/photo-store.ts";
import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";
import type { TestApp } from "#test/test-app.ts";
import { boundary, multipartForm } from "#test/upload.ts";

const path = "/api/parties/1/photo";
const photoId = "the-table-at-midnight0";

export const exampleCalls = {
  "POST /api/parties/:id/photo": {
    path,
    body: () => multipartForm(fixtures.png, { field: "picture" }),
    type: `multipart/form-data; boundary=${boundary}`,
  },
  "DELETE /api/parties/:id/photo": { status: 404, path: "/api/parties/2/photo" },
  "POST /api/parties/:id/photo/review": {
    status: 404,
    path: "/api/parties/2/photo/review",
    body: () => ({ is_in_review: true }),
  },
  "POST /api/parties/:id/photos": {
    statuses: [419, 401, 403, 403, 200, 200, 401, 401, 403, 403],
    path: "/api/parties/1/photos",
    body: () => ({ is_on: true }),
  },
  "GET /internal/images/party/:id": { path: `/internal/images/party/${photoId}` },
} satisfies ExampleCalls;

export const exportedFields = prefixed("party_photos[].", ["party", "put_up_at", "picture", "is_in_review"]);

/** Inserts a photo of the third party by David, who calls nothing. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const david = await db.selectFrom("users").select("id").where("uname", "=", "david").executeTakeFirstOrThrow();
  const { png } = fixtures;
  const photo = { id: photoId, party_id: 3, user_id: david.id, screen: png, phone: png, created_at: clock.now() };
  await replacePhoto(db, photo);
}
