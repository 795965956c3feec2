import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { beforeEach, expect, test, vi } from "vitest";

import { days, hours } from "#server/time.ts";
import { version } from "#server/version.ts";
import { createCertificates, trustTestAuthority } from "#test/certificates.ts";
import { endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";

/** The answer of the feed, and the requests that it received. */
let answer: (response: ServerResponse) => void;
let requests: IncomingMessage[];
let feedUrl: string;
let app: TestApp;
let anna: Client;

const releases = (...tags: string[]) => JSON.stringify(tags.map((tag_name) => ({ tag_name })));
const next = "99.0.0";

beforeEach(async () => {
  requests = [];
  answer = (response) => response.end(releases(`v${next}`, "v1.0.0"));
  const server = createServer(createCertificates().good, (request, response) => {
    requests.push(request);
    answer(response);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  trustTestAuthority();
  endWithTest(async () => {
    server.closeAllConnections();
    server.close();
  });
  feedUrl = `https://localhost:${(server.address() as AddressInfo).port}/releases?limit=10`;
  app = await createTestApp({ RELEASES_URL: feedUrl, PUSH_ALLOW_PRIVATE: "1" });
  anna = await app.createMember("anna");
  await app.rememberSessions();
});

const switchTo = (is_checking: boolean) => anna.post("/api/admin/releases", { is_checking });
const check = async () => (await anna.get("/api/admin/releases")).json;
const releaseCheck = jobs.find(({ name }) => name.startsWith("look"))!;
const runJob = () => releaseCheck.run(app.context);
const failures = () => app.logLines.filter(({ event }) => event === "release-check-failed").map(({ fields }) => fields);

test("the check for new releases sends no request until an administrator switches it on", async () => {
  await runJob();
  expect(await check()).toEqual({
    version,
    host: new URL(feedUrl).host,
    is_checking: false,
    newer_version: null,
    checked_at: null,
    has_failed: false,
    is_backup_overdue: false,
  });
  expect(requests).toEqual([]);
});

test("a switched-on release check runs at once and then daily, and sends the feed no data about this installation", async () => {
  expect((await switchTo(true)).status).toBe(200);
  expect(await check()).toMatchObject({ is_checking: true, newer_version: next, has_failed: false });
  await switchTo(true);
  app.clock.time += hours(23);
  await runJob();
  expect(requests).toHaveLength(1);
  const [{ method, url, headers }] = requests as [IncomingMessage];
  expect([method, url]).toEqual(["GET", "/releases?limit=10"]);
  expect(Object.keys(headers).toSorted()).toEqual(["accept", "connection", "content-length", "host", "user-agent"]);
  expect(headers["user-agent"]).toBe("Stammtisch");
  answer = (response) => response.end(releases("v1.0.0"));
  app.clock.time += hours(1);
  await runJob();
  expect(requests).toHaveLength(2);
  expect(await check()).toMatchObject({ newer_version: null, has_failed: false });
});

test("switching the release check on or off is audited, and switching it off deletes its result", async () => {
  await switchTo(true);
  await switchTo(false);
  expect(await check()).toMatchObject({ is_checking: false, newer_version: null, checked_at: null });
  app.clock.time += days(2);
  await runJob();
  expect(requests).toHaveLength(1);
  const { entries } = (await anna.get("/api/admin/audit")).json;
  expect(entries.slice(0, 2).map(({ text }: { text: string }) => text)).toEqual([
    "Suche nach neuen Versionen ausgeschaltet.",
    "Suche nach neuen Versionen eingeschaltet.",
  ]);
});

test("only one of several instances does the daily release check", { tags: "postgres" }, async () => {
  const other = await app.reopen();
  await switchTo(true);
  app.clock.time += days(1);
  await Promise.all([app, app, other, other].map(async ({ context }) => releaseCheck.run(context)));
  expect(requests).toHaveLength(2);
});

test("a release check's result is discarded if the check was switched off before the result arrived", async () => {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  answer = resolve;
  const switching = switchTo(true);
  const response = await promise;
  await switchTo(false);
  response.end(releases(`v${next}`));
  await switching;
  expect(await check()).toMatchObject({ is_checking: false, newer_version: null, checked_at: null });
});

test.each<[name: string, reason: RegExp, answer: (response: ServerResponse) => void]>([
  ["a redirect", /^status 302$/, (response) => response.writeHead(302, { location: feedUrl }).end()],
  ["an error", /^status 500$/, (response) => response.writeHead(500).end(releases(`v${next}`))],
  ["garbage", /^SyntaxError$/, (response) => response.end("<html>Prost</html>")],
  ["another document", /^\$?ZodError$/, (response) => response.end('{"version":"9.9.9"}')],
  ["a document of 2 MiB", /^answer too large$/, (response) => response.end(" ".repeat(2 * 1024 * 1024))],
  ["a compressed document", /^SyntaxError$/, (r) => r.writeHead(200, { "content-encoding": "gzip" }).end("\x1f\x8b")],
  [
    "an answer that ends too early",
    /^ECONNRESET$/,
    (response) => {
      response.writeHead(200, { "content-length": "500" });
      response.write("[", () => response.destroy());
    },
  ],
])(
  "after %s from the release feed, the previous result is kept and the check is retried a day later",
  async (_, reason, hostile) => {
    await switchTo(true);
    app.clock.time += days(1);
    answer = hostile;
    await runJob();
    expect(await check()).toMatchObject({ newer_version: next, has_failed: true });
    expect(failures()).toEqual([{ host: new URL(feedUrl).host, reason: expect.stringMatching(reason) }]);
    await runJob();
    expect(requests).toHaveLength(2);
    app.clock.time += days(1);
    answer = (response) => response.end("[]");
    await runJob();
    expect(await check()).toMatchObject({ newer_version: null, has_failed: false });
  },
);

test.each<[name: string, answer: (response: ServerResponse) => void]>([
  ["never answers", () => {}],
  [
    "stops within its answer",
    (response) => {
      response.on("error", () => {});
      response.write("[");
    },
  ],
])("the release check times out if the feed %s", async (_, slow) => {
  const { timeout } = AbortSignal;
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(200));
  endWithTest(async () => spy.mockRestore());
  answer = slow;
  expect((await switchTo(true)).status).toBe(200);
  expect(failures()).toEqual([{ host: new URL(feedUrl).host, reason: "timeout" }]);
});

test("the check for new releases aborts an endless answer of the release feed", async () => {
  let isOpen = true;
  answer = (response) => {
    response.on("close", () => (isOpen = false)).on("error", () => {});
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384, " ")));
    };
    response.on("drain", more);
    more();
  };
  await switchTo(true);
  expect(failures()).toEqual([{ host: new URL(feedUrl).host, reason: "answer too large" }]);
  await expect.poll(() => isOpen).toBe(false);
});

test("the release check sends no request to a feed on a private address", async () => {
  const careful = await app.reopen({ PUSH_ALLOW_PRIVATE: "0" });
  const client = anna.through(careful);
  await client.post("/api/admin/releases", { is_checking: true });
  expect(requests).toEqual([]);
  expect(careful.logLines.find(({ event }) => event === "release-check-failed")?.fields["reason"]).toBe(
    "not a public address",
  );
});

test("the release check cannot be switched on if RELEASES_URL is not set, and only administrators can read its state", async () => {
  const without = await createTestApp();
  const admin = await without.createMember("anna");
  expectRefusal(await admin.post("/api/admin/releases", { is_checking: true }), 404, expect.any(String));
  expect((await admin.get("/api/admin/releases")).json).toMatchObject({ version, host: null, is_checking: false });
  const ben = await without.createMember("ben");
  expect((await ben.get("/api/admin/releases")).status).toBe(403);
});
