import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { minutes } from "#server/time.ts";
import { version } from "#server/version.ts";
import { createFakePushService } from "#test/fake-push-service.ts";
import { freePort } from "#test/free-port.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

const root = join(import.meta.dirname, "../../..");
const token = "a-token-of-Prometheus-alone";

const scrape = (app: TestApp, headers = {}) =>
  app.createClient({ authorization: `Bearer ${token}`, ...headers }).get("/metrics");

/** Returns the values of all metrics by name and labels, and checks each line of the format. */
async function readMetrics(app: TestApp): Promise<Map<string, number>> {
  const { status, text } = await scrape(app);
  expect([status, text.endsWith("\n")]).toEqual([200, true]);
  const lines = text.split("\n").filter((line) => line !== "" && !/^# (HELP|TYPE) \w+ \S/.test(line));
  return new Map(
    lines.map((line) => {
      const [, series, value] = /^(\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})?) (\S+)$/.exec(line) ?? [];
      // A quantile is NaN if nothing was measured in its period.
      if (value !== "Nan") expect(Number(value), line).not.toBeNaN();
      return [series!, Number(value)];
    }),
  );
}

test("GET /metrics answers 404 to any token, even an empty one, if METRICS_TOKEN is not set", async () => {
  const app = await createTestApp();
  for (const authorization of ["", "Bearer", "Bearer ", `Bearer ${token}`])
    expect((await scrape(app, { authorization })).status, authorization).toBe(404);
});

test("GET /metrics refuses a wrong token and an administrator's session with 401", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token });
  const anna = await app.createMember("anna", ["admin"]);
  for (const authorization of ["", "Bearer", `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token]) {
    const answer = await anna.get("/metrics", { authorization });
    expect([answer.status, answer.headers["www-authenticate"]], authorization).toEqual([401, "Bearer"]);
    expect(answer.text).not.toContain("stammtisch_");
  }
});

test("attempts to guess the metrics token are limited per IP address", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token, RATE_LIMIT_FACTOR: "1" });
  const statuses = [];
  for (let attempt = 0; attempt < 62; attempt++)
    statuses.push((await scrape(app, { authorization: "Bearer wrong" })).status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  expect((await scrape(app)).status).toBe(429);
});

test("Prometheus reads metrics in its text format under any host name, and nothing caches or compresses them", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token });
  const answer = await scrape(app, { host: "app-1:3000", "accept-encoding": "gzip" });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    "content-type": "text/plain; version=0.0.4; charset=utf-8",
    "cache-control": "no-store",
  });
  expect(answer.headers["content-encoding"]).toBeUndefined();
  expect([...(await readMetrics(app)).keys()]).toEqual(
    expect.arrayContaining(["nodejs_eventloop_lag_p99_seconds", "process_resident_memory_bytes", "stammtisch_beers"]),
  );
});

test("metrics name the version", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token });
  expect((await readMetrics(app)).get(`stammtisch_build_info{version="${version}"}`)).toBe(1);
});

test("metrics count requests by route pattern and status, and contain no names, ids or unknown paths", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token });
  const ben = await app.createMember("ben");
  for (let beer = 0; beer < 3; beer++) await ben.post("/api/beercounter/counters");
  await app.createClient().get("/api/beercounter/counters");
  await ben.get("/api/users/2");
  await ben.get("/ben-was-here");
  const metrics = await readMetrics(app);
  const route = 'route="/api/beercounter/counters"';
  expect(metrics.get(`stammtisch_http_requests_total{method="POST",${route},status="200"}`)).toBe(3);
  expect(metrics.get(`stammtisch_http_requests_total{method="GET",${route},status="401"}`)).toBe(1);
  const duration = "stammtisch_http_request_duration_seconds";
  expect(metrics.get(`${duration}_count{method="POST",${route}}`)).toBe(3);
  expect(metrics.get(`${duration}_bucket{le="+Inf",method="POST",${route}}`)).toBe(3);
  expect(metrics.get(`stammtisch_http_requests_total{method="GET",route="/*",status="404"}`)).toBe(1);
  expect([...metrics.keys()].join("\n")).not.toMatch(/ben|anna|users\/2/i);
});

test("metrics count requests for all files of the web app as one route, because the files' names change with every version", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token });
  app.context.http.files.add("/healthz");
  await app.createClient().get("/healthz");
  const metrics = await readMetrics(app);
  expect(metrics.get('stammtisch_http_requests_total{method="GET",route="(file)",status="200"}')).toBe(1);
});

test("metrics contain the current numbers of beers, enabled members and open sockets", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token });
  const gauges = async () => {
    const metrics = await readMetrics(app);
    return ["beers", "members", "websockets"].map((name) => metrics.get(`stammtisch_${name}`));
  };
  expect(await gauges()).toEqual([0, 0, 0]);
  const ben = await app.createMember("ben");
  await app.createMember("anna");
  await ben.post("/api/beercounter/counters");
  const page = await connectPage(app, ben);
  expect(await gauges()).toEqual([1, 2, 1]);
  await app.db.updateTable("users").set({ disabled_at: 1 }).where("uname", "=", "anna").execute();
  page.socket.close();
  await expect.poll(gauges).toEqual([1, 1, 0]);
});

test("metrics contain the number of waiting mails and pushes, and a rising total of failed attempts", async () => {
  const service = await createFakePushService();
  const push = { PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" };
  const app = await createTestApp({
    METRICS_TOKEN: token,
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    MAIL_FROM: "wirt@pub.example",
    ...push,
  });
  const outbox = async () => {
    const metrics = await readMetrics(app);
    return ["mails_waiting", "mails_failed_total", "pushes_waiting", "pushes_failed_total"].map((name) =>
      metrics.get(`stammtisch_${name}`),
    );
  };
  const mail = { recipient: "anna@pub.example", subject: "Grüße", paragraphs: ["ein Satz."], closing: "Bis bald." };
  await app.context.say(app.db, null).mail(mail, app.clock.time + minutes(60));
  expect(await outbox()).toEqual([1, 0, 0, 0]);
  await app.context.outbox.sendDue("mail");
  expect(await outbox()).toEqual([1, 1, 0, 0]);

  const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  await ben.post("/api/push", { pushSubscription: service.subscription("ben") });
  service.responses.push(503);
  await anna.post("/api/beercounter/counters");
  await expect.poll(outbox).toEqual([1, 1, 1, 1]);
  app.clock.time += minutes(1);
  await expect.poll(outbox).toEqual([1, 1, 0, 1]);
});

test("while a metric's database query fails, only this metric is missing", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token });
  const rename = (from: string, to: string) => app.db.schema.alterTable(from).renameTo(to).execute();
  await rename("users", "lost_users");
  const metrics = await readMetrics(app);
  // Other tests use the same database of PostgreSQL.
  await rename("lost_users", "users");
  expect(metrics.has("stammtisch_members")).toBe(false);
  expect([metrics.get("stammtisch_beers"), metrics.get("stammtisch_mails_waiting")]).toEqual([0, 0]);
  expect(app.logLines).toContainEqual(
    expect.objectContaining({
      event: "metric-missing",
      fields: expect.objectContaining({ metric: "stammtisch_members" }),
    }),
  );
});

test("two apps in one process count requests separately in their metrics", async () => {
  const [one, other] = [await createTestApp({ METRICS_TOKEN: token }), await createTestApp({ METRICS_TOKEN: token })];
  const count = 'stammtisch_http_requests_total{method="GET",route="/healthz",status="200"}';
  await one.createClient().get("/healthz");
  expect((await readMetrics(one)).get(count)).toBe(1);
  expect((await readMetrics(other)).has(count)).toBe(false);
});

test("the Grafana dashboard shows only metrics that the server exports", async () => {
  const app = await createTestApp({ METRICS_TOKEN: token });
  await app.createClient().get("/healthz");
  const known = new Set([...(await readMetrics(app)).keys()].map((series) => series.replace(/\{.*/, "")));
  const { panels } = JSON.parse(readFileSync(join(root, "deploy/grafana-dashboard.json"), "utf8")) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const shown = panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => expr.match(/\w+_\w+(?=[{[)\s]|$)/g)),
  );
  const metrics = shown.filter((name) => name && !["histogram_quantile"].includes(name));
  expect(metrics.length).toBeGreaterThan(10);
  expect(metrics.filter((name) => !known.has(name!))).toEqual([]);
});
