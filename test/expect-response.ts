import { expect } from "vitest";

import { type RefusalCode, refusals } from "#contract/errors.ts";
import type { ClientResponse } from "./client.ts";

const internalDetails =
  /(?:\bat )?\S+\.[jt]s:\d+|node_modules|sqlite|postgres|\bselect\b|\bfrom "|fastify|zod|\bv?\d+\.\d+\.\d+\b|ENOENT|\/tmp\//i;

/** Expects a refusal to have the standard shape and to reveal nothing about the server's internals. */
export function expectStandardShape({ status, headers, text, json }: ClientResponse): void {
  if (status < 400) return;
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  const { code, message, errors, requestId, ...rest } = json;
  expect(rest).toEqual({});
  expect(refusals[code as RefusalCode]?.status).toBe(status);
  expect(message).toMatch(/^\S.*[.!)]$/);
  if (status === 422) expect(errors).toBeDefined();
  if (errors !== undefined) {
    expect([400, 413, 422, 429, 503]).toContain(status);
    expect(Object.values(errors).flat().length).toBeGreaterThan(0);
    for (const texts of Object.values(errors))
      for (const one of texts as unknown[]) expect(one).toEqual(expect.any(String));
  }
  if (status >= 500) expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  else expect(requestId).toBeUndefined();
  expect(text).not.toMatch(internalDetails);
}

/** Expects a refusal with this status and message, in the standard shape. */
export function expectRefusal(answer: ClientResponse, status: number, message: string, what = ""): void {
  expect([answer.status, answer.json?.message], what).toEqual([status, message]);
  expectStandardShape(answer);
}

/** Expects exactly these validation errors, keyed by field. */
export function expectErrors({ status, json }: ClientResponse, errors: object, expected = 422): void {
  expect([status, json.errors]).toEqual([expected, errors]);
}
