import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";

import { useLinkToken } from "./link-token.ts";

function TokenText({ stored }: { stored?: string }) {
  return useLinkToken(() => stored ?? null)[0] ?? "none";
}

test.each([
  ["the fragment", { hash: "#token=AB-1", search: "" }, "AB-1"],
  ["the query of an older link", { hash: "", search: "?token=CD-2" }, "CD-2"],
  ["the fragment rather than the query", { hash: "#token=AB-1", search: "?token=CD-2" }, "AB-1"],
  ["the browser's storage if the link has none", { hash: "", search: "" }, "EF-3"],
])("useLinkToken returns the token from %s", (_, location, token) => {
  vi.stubGlobal("location", location);
  expect(renderToStaticMarkup(<TokenText stored="EF-3" />)).toBe(token);
});
