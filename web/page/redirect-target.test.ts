import fc from "fast-check";
import { expect, test } from "vitest";

import { loginPathFor, redirectTarget } from "./redirect-target.ts";

const after = (wanted: string): string => redirectTarget(`?redirectedFrom=${encodeURIComponent(wanted)}`);

test.each([
  "/profile",
  "/game-servers",
  "/christmas-calendar?year=2025",
  "/beercounter?a=b&c=%C3%BC&d=%20%2F%2F",
  "/gibts-nicht",
])("a login that the page %s required returns to that page", (path) => {
  expect(after(path)).toBe(path);
  expect(redirectTarget(new URL(loginPathFor(path), "https://pub.example").search)).toBe(path);
});

test.each(["", "?", "?redirectedFrom=", "?redirectedFrom=/", "?redirectedFrom=%2F", "?other=/profile"])(
  "a login without a requested page (query %s) leads to the dashboard",
  (search) => expect(redirectTarget(search)).toBe("/dashboard"),
);

test("loginPathFor leaves slashes of the path readable and encodes the query", () => {
  expect(loginPathFor("/profile")).toBe("/login?redirectedFrom=/profile");
  expect(loginPathFor("/a?b=c&d=e")).toBe("/login?redirectedFrom=/a%3Fb%3Dc%26d%3De");
});

test.each([
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/%09/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/%5cevil.example",
  "/%5Cevil.example",
  "/%255cevil.example",
  "/%2fevil.example",
  "/%2F%2Fevil.example",
  "/%252f%252fevil.example",
  "https:evil.example",
  "https://evil.example",
  "https:/evil.example",
  "http:///evil.example",
  "HTTPS://evil.example/profile",
  "javascript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "blob:https://evil.example/x",
  "/@evil.example",
  "//evil.example%2f..",
  "/./\\evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/profile//evil.example",
  "evil.example",
  " /profile",
  " //evil.example",
  "\u0000/profile",
  "／／evil.example",
  "/％2f",
  "?/profile",
  "#/profile",
  "/%",
  "/%E0%A4%A",
  "/<script>",
])("a login refuses the redirect target %j and leads to the dashboard", (wanted) => {
  expect(after(wanted)).toBe("/dashboard");
});

test("a login with several redirect targets leads to the dashboard", () => {
  expect(redirectTarget("?redirectedFrom=/profile&redirectedFrom=/profile")).toBe("/dashboard");
  expect(redirectTarget("?redirectedFrom[]=/profile")).toBe("/dashboard");
});

test("every redirect target that a login accepts is on the app's own site", () => {
  const parts = fc.constantFrom(
    "/",
    "\\",
    "%2f",
    "%5c",
    "%09",
    "\t",
    ".",
    "..",
    ":",
    "@",
    "evil.example",
    "https",
    "?",
    "#",
    "%25",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
      const target = new URL(after(pieces.join("")), "https://pub.example/login");
      expect(target.origin).toBe("https://pub.example");
      expect(target.username).toBe("");
    }),
  );
});
