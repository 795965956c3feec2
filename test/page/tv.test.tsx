import { expect, test, vi } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { openPage } from "./open-page.tsx";

test("A television whose server has a newer version with another answer loads the page again", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna", ["admin"]);
  const { url } = (await anna.post("/api/admin/tv", { name: "Theke" })).json;
  const television = app.createClient();
  const send = television.send.bind(television);
  vi.spyOn(television, "send").mockImplementation(async (method, path, request) => {
    const answer = await send(method, path, request);
    return path.startsWith("/api/tv") ? { ...answer, text: JSON.stringify({ beers: 1 }) } : answer;
  });
  const reload = vi.spyOn(location, "reload").mockReturnValue();
  await openPage(television, url.replace(/.*(?=\/tv)/, ""));
  await expect.poll(() => reload).toHaveBeenCalledOnce();
});
