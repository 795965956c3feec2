import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";
import { boundary, multipartForm } from "#test/upload.ts";

const path = "/api/parties/1/photo";

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
  "GET /internal/images/party/:id": { path: `/internal/images/party/${fixtures.partyPhotoId}` },
} satisfies ExampleCalls;

export const exportedFields = prefixed("party_photos[].", ["party", "put_up_at", "picture", "is_in_review"]);
