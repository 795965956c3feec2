import { expect, test } from "vitest";

import { endOidcSessions } from "#contract/oidc.ts";
import { describeApi } from "#server/platform/http/openapi.ts";
import { createDescriptionCheck } from "#test/api-description.ts";
import { runInProcess } from "#test/command-line.ts";
import { createTestApp } from "#test/test-app.ts";

const app = await createTestApp({ OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "stammtisch" });

test("the OpenAPI document describes every endpoint; administrators can download it, and the command “openapi” prints it", async () => {
  const admin = await app.createMember("anna", ["admin"]);
  const { text, headers } = await admin.get("/api/admin/openapi");
  expect(headers["content-disposition"]).toBe('attachment; filename="openapi.json"');
  const { paths } = JSON.parse(text);
  const described = Object.entries(paths as object).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  const bound = app.context.http.endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(described.toSorted()).toEqual(bound.toSorted());
  const { code, printed } = await runInProcess(["openapi", "--json"], { DATA_DIR: app.config.dataDir });
  expect([code, JSON.parse(printed).paths]).toEqual([0, paths]);
});

test("the OpenAPI document declares every path placeholder as required and a CSRF header for every endpoint but GET", async () => {
  const { paths } = await describeApi(new URL("https://stammtisch.example"));
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { parameters, security } = operation as unknown as {
        parameters: { name: string; in: string; required: boolean }[];
        security: object[];
      };
      const named = parameters.filter((one) => one.in === "path" && one.required).map(({ name }) => `{${name}}`);
      expect(named, path).toEqual(path.match(/\{\w+\}/g) ?? []);
      // The OpenID provider signs its call instead.
      if (method !== "get" && path !== endOidcSessions.path) expect(Object.keys(security[0]!), path).toContain("csrf");
    }
  }
});

test("tests fail if an answer has a field, status or shape that the OpenAPI document lacks", async () => {
  const check = createDescriptionCheck(await describeApi(app.config.appUrl));
  const answer = (status: number, json: unknown) => ({ status, json, text: "", headers: {} }) as never;
  const path = "/api/beercounter/counters";
  check("GET", path, answer(200, { KSKCounterVal: 1, userCounterVal: 1 }));
  check("GET", path, answer(429, { message: "Zu viele Anfragen.", code: "tooManyRequests" }));
  for (const [status, json] of [
    [200, { KSKCounterVal: 1, userCounterVal: 1, email: "anna@stammtisch.example" }],
    [200, { KSKCounterVal: "1", userCounterVal: 1 }],
    [201, { KSKCounterVal: 1, userCounterVal: 1 }],
    [500, { message: "Interner Fehler.", code: "internalError", stack: "at x" }],
  ] as const)
    expect(() => check("GET", path, answer(status, json))).toThrow(Error);
});
