import type { ExampleCalls } from "#test/example-call.ts";
import { boundary, multipartForm } from "#test/upload.ts";

let seconds = 0;

/**
 * Returns an upload with one beer. Every call uses another time, because the same beer is imported
 * only once.
 */
function createForm(...moreLines: readonly string[]): Buffer {
  seconds += 1;
  const beer = `carla,${new Date(Date.UTC(2020, 0) + seconds * 1000).toISOString()}`;
  const csv = ["name,time", beer, ...moreLines].join("\n");
  const texts = { choices: JSON.stringify({ format: "csv" }) };
  return multipartForm(Buffer.from(csv), { field: "file", name: "biere.csv", type: "text/csv", texts });
}

const type = `multipart/form-data; boundary=${boundary}`;

export const exampleCalls = {
  "POST /api/admin/imports/check": {
    body: () => createForm("carla,never", "carla,2001-01-01T00:00:00Z", "carla,2001-01-01T00:00:00Z"),
    type,
  },
  "POST /api/admin/imports": {
    body: () => createForm(),
    type,
  },
} satisfies ExampleCalls;
