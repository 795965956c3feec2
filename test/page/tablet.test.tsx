import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { counts, openDialogs, openPage, pageText, type OpenPage } from "./open-page.tsx";

/** Opens the page of a tablet that Anna has paired. */
async function openTablet(app: TestApp, anna: Client): Promise<OpenPage> {
  const page = await openPage(app.createClient(), "/tablet");
  await screen.findByRole("heading", { name: "Diese Zapfstelle verbinden" });
  const code = document.querySelector("[data-tv-code]")!.textContent;
  const paired = await anna.post("/api/admin/tv-code", { code, name: "Kühlschrank", scope: "tablet" });
  expect(paired.status).toBe(201);
  await screen.findByText("Kühlschrank");
  return page;
}

const totalOf = async (client: Client) => (await client.get("/api/beercounter/counters")).json.userCounterVal as number;

test("A tap on a face books a beer, which the receipt undoes", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna", ["admin"]);
  const ben = await app.createMember("ben");
  const page = await openTablet(app, anna);
  await page.press("Bier für Ben");
  await screen.findByText("Prost, Ben!");
  await expect.poll(() => totalOf(ben)).toBe(1);
  await expect.poll(() => counts()["group"]).toBe("1");
  await page.press("Rückgängig: Ben");
  await screen.findByText("Zurückgenommen");
  await expect.poll(() => totalOf(ben)).toBe(0);
  await expect.poll(() => counts()["group"]).toBe("0");
  await page.press("0,0 für Anna");
  await expect.poll(async () => (await anna.get("/api/beercounter/beers")).json.beers).toMatchObject([{ kind: "0,0" }]);
});

test("A face with a PIN asks for it, says that it is wrong, and books with the right one", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna", ["admin"]);
  await anna.post("/api/user/tap-settings", { pin: "2580" });
  const page = await openTablet(app, anna);
  await page.press("Bier für Anna, mit PIN");
  const dialog = await screen.findByRole("dialog", { name: "PIN von Anna" });
  for (const digit of "2581") await page.press(digit, dialog);
  await within(dialog).findByText("Diese PIN stimmt nicht.");
  expect(await totalOf(anna)).toBe(0);
  for (const digit of "2580") await page.press(digit, dialog);
  await screen.findByText("Prost, Anna!");
  expect(openDialogs()).toEqual([]);
  expect(await totalOf(anna)).toBe(1);
  expect(JSON.stringify({ ...localStorage })).not.toContain("2580");
});

test("A tablet that an administrator ends shows a new code and keeps no faces", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna", ["admin"]);
  await openTablet(app, anna);
  await anna.delete("/api/admin/tv/1");
  await screen.findByRole("heading", { name: "Diese Zapfstelle ist getrennt" });
  expect(pageText()).not.toContain("Anna");
  expect(Object.keys(localStorage).filter((key) => key.includes("tablet"))).toEqual([]);
});

test("A member connects a TV at its address, without a choice; an administrator can choose a tablet", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna", ["admin"]);
  const ben = await app.createMember("ben");
  const television = app.createClient();
  await television.get("/login");
  const makeCode = async () => (await television.post("/api/tv/code")).json.code as string;
  let page = await openPage(ben, `/pair#code=${await makeCode()}`);
  await page.fill("Wo steht er?", "Theke");
  expect(screen.queryByRole("radio")).toBeNull();
  await page.press("Verbinden");
  await expect.poll(pageText).toContain("„Theke“ ist verbunden.");
  page = await openPage(anna, `/pair#code=${await makeCode()}&as=tablet`);
  expect((await screen.findByRole<HTMLInputElement>("radio", { name: "Zapfstelle" })).checked).toBe(true);
  await page.fill("Wo ist sie?", "Kühlschrank");
  await page.press("Verbinden");
  await expect.poll(pageText).toContain("„Kühlschrank“ ist verbunden.");
  expect((await anna.get("/api/admin/tv")).json).toMatchObject([{ scope: "tablet" }, { scope: "tv", by: "Ben" }]);
});
