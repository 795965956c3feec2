import type { ServerResponse } from "node:http";

import { beforeEach, describe, expect, test } from "vitest";

import { trustTestAuthority } from "#test/certificates.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createOidcApp, type OidcApp, oidcTexts } from "#test/oidc-app.ts";
import { createOpenIdProvider, finishOidc, startOidcLogin } from "#test/openid-provider.ts";
import { password } from "#test/test-app.ts";

const { unavailable } = oidcTexts;

let app: OidcApp;
beforeEach(async () => {
  app = await createOidcApp();
});

/** Sends JSON without an end. Calls `onClosed` with the number of sent bytes when the receiver closes the connection. */
function sendForever(response: ServerResponse, onClosed: (bytes: number) => void): void {
  const chunk = Buffer.alloc(64 * 1024, "x");
  let bytes = 0;
  function send(): void {
    do bytes += chunk.length;
    while (response.write(chunk));
  }
  response.once("close", () => onClosed(bytes));
  response.on("drain", send);
  response.writeHead(200, { "content-type": "application/json" }).write('{"x":"');
  send();
}

describe("failing provider", () => {
  test("an OpenID provider that is down blocks neither the start of the server nor logins with a password", async () => {
    await app.createLinkedMember("anna");
    const guest = app.createClient();
    const returned = await app.provider.createBrowser("id-of-anna").logIn(await startOidcLogin(guest));
    await app.provider.close();
    const again = await app.reopen();
    const client = app.createClient().through(again);
    expectRefusal(await client.post("/api/oidc/login", {}), 503, unavailable);
    expectRefusal(await finishOidc(guest, returned), 503, unavailable);
    expect((await client.post("/api/login", { uname: "anna", password })).status).toBe(200);
    const line = again.logLines.find(({ event }) => event === "oidc-failed");
    expect(line).toMatchObject({
      level: "warn",
      fields: { code: "oidcUnavailable", reason: expect.stringMatching(/ECONNREFUSED/) },
    });
  });

  test(
    "an OpenID provider that does not answer within seconds counts as unreachable",
    { timeout: 15_000 },
    async () => {
      app.provider.isAnswering = false;
      expectRefusal(await app.createClient().post("/api/oidc/login", {}), 503, unavailable);
      app.provider.isAnswering = true;
      await startOidcLogin(app.createClient());
    },
  );

  test.each([
    ["expired", "CERT_HAS_EXPIRED"],
    ["good", null],
  ] as const)(
    "an OpenID provider is used only if its TLS certificate is valid (certificate: %s)",
    async (certificate, reason) => {
      trustTestAuthority();
      const secure = await createOpenIdProvider({ certificate });
      const other = await app.reopen(secure.env);
      const answer = await app.createClient().through(other).post("/api/oidc/login", {});
      if (reason === null) expect(answer.json.url).toMatch(/^https:/);
      else {
        expectRefusal(answer, 503, unavailable);
        expect(other.logLines.find(({ event }) => event === "oidc-failed")?.fields["reason"]).toContain(reason);
      }
    },
  );

  const MiB = 1024 * 1024;

  test.each(["/.well-known/openid-configuration", "/jwks", "/token", "/me"])(
    "an answer of the OpenID provider at %s is read up to 1 MiB, and then the provider counts as unreachable",
    async (path) => {
      await app.createLinkedMember("anna");
      const other = await app.reopen();
      const closed = Promise.withResolvers<number>();
      app.provider.answers.set(path, (response) => sendForever(response, closed.resolve));
      const client = app.createClient().through(other);
      const start = await client.post("/api/oidc/login", {});
      const isStarted = start.status === 200;
      const answer = isStarted
        ? await finishOidc(client, await app.provider.createBrowser("id-of-anna").logIn(start.json.url))
        : start;
      expectRefusal(answer, 503, unavailable);
      expect(isStarted).toBe(!path.startsWith("/.well-known"));
      const line = other.logLines.find(({ event }) => event === "oidc-failed");
      expect(line?.fields["reason"]).toContain("BODY_OVER_1_MIB");
      // The buffers of both sockets hold some more than the app has read.
      expect(await closed.promise).toBeLessThan(32 * MiB);
    },
  );

  test("an answer of the OpenID provider of 1 MiB is accepted", async () => {
    await app.createLinkedMember("anna");
    const empty = JSON.stringify({ sub: "id-of-anna", picture: "" });
    const picture = "x".repeat(MiB - empty.length);
    app.provider.answers.set("/me", (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ sub: "id-of-anna", picture }));
    });
    expect((await app.logIn(app.createClient(), "id-of-anna")).status).toBe(200);
  });

  test("logins with a wrong OpenID client secret fail as “provider unreachable”, and the log does not contain the secret", async () => {
    const wrong = await app.reopen({ OIDC_CLIENT_SECRET: "a-wrong-secret" });
    const answer = await app.logIn(app.createClient().through(wrong), "id-of-anna");
    expectRefusal(answer, 503, unavailable);
    const lines = wrong.logLines.filter(({ event }) => event === "oidc-failed");
    expect(lines[0]!.fields["reason"]).toContain("OAUTH_WWW_AUTHENTICATE_CHALLENGE");
    expect(JSON.stringify(lines)).not.toContain("a-wrong-secret");
  });
});
