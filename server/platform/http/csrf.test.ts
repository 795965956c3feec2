import { beforeEach, describe, expect, test } from "vitest";

import { createActorClient, callEndpoint, nameOf, createActors } from "#test/actors.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createTestApp } from "#test/test-app.ts";

const app = await createTestApp();
await createActors(app);
const guarded = app.context.http.endpoints.filter((endpoint) => endpoint.csrf !== "none");
const [greta, ben] = [await createActorClient(app, 2), await createActorClient(app, 4)];
await ben.post("/api/beercounter/counters");
let beers = 1;

/** Checks that no beer was booked, no member registered and no session ended. */
async function expectNothingHappened(): Promise<void> {
  expect((await ben.get("/api/beercounter/counters")).json.KSKCounterVal).toBe(beers);
  expect((await ben.get("/api/beercounter/stats/user")).json.users).toHaveLength(7);
  expect((await greta.get("/api/checkLoginStatus")).json.user.uname).toBe("greta");
}

describe.each<[string, Record<string, string>]>([
  ["another site", { origin: "https://elsewhere.example" }],
  ["a page without an origin", { origin: "null" }],
  ["another port of ours", { origin: "http://localhost:3001" }],
  ["our name over another scheme", { origin: "https://localhost:3000" }],
  ["a name that begins like ours", { origin: "http://localhost:3000.elsewhere.example" }],
  ["a name that ends like ours", { origin: "http://elsewhere-localhost:3000" }],
  ["a browser that says cross-site", { "sec-fetch-site": "cross-site" }],
  ["a browser that says same-site", { "sec-fetch-site": "same-site" }],
  ["a browser that says both", { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" }],
])("requests of %s", (_, headers) => {
  test("every CSRF-protected endpoint refuses a cross-origin request, even with a valid token", async () => {
    for (const endpoint of guarded) {
      const answer = await callEndpoint(app, greta, endpoint, { headers });
      expectRefusal(answer, 403, "Diese Aktion ist nicht autorisiert.", nameOf(endpoint));
    }
    await expectNothingHappened();
  });
});

describe("CSRF token", () => {
  let wrong: Record<string, Record<string, string>>;

  beforeEach(async () => {
    const beforeLogin = app.createClient();
    await beforeLogin.get("/sanctum/csrf-cookie");
    const { csrfToken } = greta;
    wrong = {
      "that is missing": {},
      "that is empty": { "x-xsrf-token": "" },
      "that was made up": { "x-xsrf-token": "A".repeat(43) },
      "of another member": { "x-xsrf-token": ben.csrfToken },
      "from before the login": { "x-xsrf-token": beforeLogin.csrfToken },
      "that is cut off": { "x-xsrf-token": csrfToken.slice(0, -1) },
      "that is too long": { "x-xsrf-token": `${csrfToken}A` },
      "sent twice": { "x-xsrf-token": `${csrfToken}, ${csrfToken}` },
      "in the wrong header": { "x-token": csrfToken },
      "in a header of another case, with blanks inside": {
        "X-XSRF-TOKEN": ` ${csrfToken.slice(0, 5)} ${csrfToken.slice(5)}`,
      },
    };
  });

  test("a missing, malformed or foreign CSRF token is refused", async () => {
    for (const endpoint of guarded.filter((one) => one.csrf === "token")) {
      for (const [what, headers] of Object.entries(wrong)) {
        const answer = await callEndpoint(app, greta, endpoint, { headers: { ...noToken, ...headers } });
        expectRefusal(answer, 419, "Seite abgelaufen. Bitte lade die Seite neu.", `${nameOf(endpoint)}, ${what}`);
      }
    }
    await expectNothingHappened();
  });

  test("a CSRF token in the URL or in the body is ignored", async () => {
    const { csrfToken } = greta;
    const inAddress = await greta.send(
      "POST",
      `/api/beercounter/counters?_token=${csrfToken}&X-XSRF-TOKEN=${csrfToken}`,
    );
    const inBody = await greta.send("POST", "/api/beercounter/counters", {
      body: JSON.stringify({ _token: csrfToken, "X-XSRF-TOKEN": csrfToken }),
      headers: { "content-type": "application/json" },
    });
    expect([inAddress.status, inBody.status]).toEqual([419, 419]);
    await expectNothingHappened();
  });

  test("a CSRF token in X-XSRF-TOKEN or X-CSRF-TOKEN is accepted only with its session cookie", async () => {
    for (const name of ["x-xsrf-token", "x-csrf-token"]) {
      const headers = { [name]: greta.csrfToken };
      expect((await greta.send("POST", "/api/beercounter/counters", { headers })).status).toBe(200);
      expect((await app.createClient().send("POST", "/api/beercounter/counters", { headers })).status).toBe(419);
      const beside = { "x-xsrf-token": "A".repeat(43), "x-csrf-token": "A".repeat(43), ...headers };
      expect((await greta.send("POST", "/api/beercounter/counters", { headers: beside })).status).toBe(200);
      beers += 2;
    }
    await expectNothingHappened();
  });
});

const noToken = { "x-xsrf-token": "" };

test.each<[string, Record<string, string>]>([
  [
    "a picture on another site",
    { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" },
  ],
  ["a link on another site", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" }],
  ["a picture on our own page", { "sec-fetch-site": "same-origin", "sec-fetch-dest": "image" }],
  ["a link typed into the address bar", { "sec-fetch-site": "none", "sec-fetch-dest": "document" }],
  ["a script without the header X-Requested-With", { "sec-fetch-site": "same-origin" }],
  ["a script with another X-Requested-With header", { "x-requested-with": "fetch" }],
  [
    "a script on another site that sends the header X-Requested-With",
    { "sec-fetch-site": "cross-site", "x-requested-with": "XMLHttpRequest" },
  ],
])("%s cannot log a member out", async (_, headers) => {
  const answer = await greta.send("GET", "/api/logout", { headers });
  expectRefusal(answer, 403, "Diese Aktion ist nicht autorisiert.");
  expect(answer.headers["clear-site-data"]).toBeUndefined();
  expect(answer.headers["set-cookie"]).toBeUndefined();
  await expectNothingHappened();
});
