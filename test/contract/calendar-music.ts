import type { ExampleCalls } from "#test/example-call.ts";
import { boundary, multipartForm } from "#test/upload.ts";

export const exampleCalls = {
  "POST /api/admin/calendar/audio": {
    body: () => multipartForm(Buffer.from("OggS music"), { field: "audio", name: "musik.ogg", type: "audio/ogg" }),
    type: `multipart/form-data; boundary=${boundary}`,
  },
} satisfies ExampleCalls;
