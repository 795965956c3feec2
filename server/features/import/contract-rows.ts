import { admins, type ContractRows, prefixed } from "#test/contract-row.ts";
import type { TestApp } from "#test/test-app.ts";
import { boundary, multipartForm } from "#test/upload.ts";

let seconds = 0;

/** A file with one beer, each time at another second, since the same beer is booked only once. */
function createForm({ clock }: TestApp, ...moreLines: readonly string[]): Buffer {
  seconds += 1;
  const beer = `carla,${new Date(clock.time - seconds * 1000).toISOString()}`;
  const csv = ["name,time", beer, ...moreLines].join("\n");
  const texts = { choices: JSON.stringify({ format: "csv" }) };
  return multipartForm(Buffer.from(csv), { field: "file", name: "biere.csv", type: "text/csv", texts });
}

const type = `multipart/form-data; boundary=${boundary}`;
const reportFields = [
  ...["imported", "known", "left_out", "first_at", "last_at", "problem_count", "repeated_count"],
  ...prefixed("names[].", ["name", "beers", "lines[]", "is_unknown", "member.id", "member.uname", "member.name"]),
];

export const contractRows = {
  "GET /api/admin/imports/members": { statuses: admins(200, "GET"), fields: prefixed("[].", ["id", "uname", "name"]) },
  "POST /api/admin/imports/check": {
    statuses: admins(200),
    body: (app) => createForm(app, "carla,never", "carla,2001-01-01T00:00:00Z", "carla,2001-01-01T00:00:00Z"),
    type,
    fields: [
      ...reportFields,
      ...prefixed("problems[].", ["line", "problem"]),
      ...prefixed("repeated[].", ["line", "first"]),
    ],
  },
  "POST /api/admin/imports": {
    statuses: admins(200),
    body: (app) => createForm(app),
    type,
    fields: reportFields,
  },
} satisfies ContractRows;
