import { screen, within } from "@testing-library/dom";
import { expect, test, vi } from "vitest";

import { createTestApp, password } from "#test/test-app.ts";
import { openPage, pageText } from "./open-page.tsx";

test("A TV reloads its page if the server replies in the format of another version", async () => {
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

test("A TV names the beers of guests in a party's sum, announces a guest's beer, and ranks the guest", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna", ["admin"]);
  const { id } = (await anna.post("/api/parties", { name: "Grillen" })).json;
  const guest = (await anna.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true })).json.id;
  await anna.post("/api/beercounter/counters");
  const { url } = (await anna.post("/api/admin/tv", { name: "Theke" })).json;
  await openPage(app.createClient(), url.replace(/.*(?=\/tv)/, ""));
  await screen.findByText("Grillen");
  expect(pageText()).not.toContain("von Gästen");
  await anna.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": "first-beer" });
  await screen.findByText("Prost, Mia!");
  screen.getByText("1 und 1 von Gästen");
  const ranking = within(screen.getByRole("region", { name: "Die Säufer der Party" })).getAllByRole("listitem");
  expect(ranking.map(({ textContent }) => textContent)).toEqual(["Anna1", "Mia Gast1"]);
});

test("A TV that was opened at localhost says beside its code that no phone can open the code's address", async () => {
  const app = await createTestApp();
  await openPage(app.createClient(), "/tv");
  await screen.findByRole("img", { name: "Fernseher verbinden als QR-Code" });
  screen.getByText(/^„localhost“ erreicht nur dieses Gerät: Trag auf dem Server bei APP_URL/);
});

test("Scanning a TV's QR code leads through the login to a form that connects the TV", async () => {
  const app = await createTestApp();
  await app.createUser("anna", ["admin"]);
  const television = app.createClient();
  await television.get("/login");
  const { code, secret } = (await television.post("/api/tv/code")).json;
  const page = await openPage(app.createClient(), `/admin/tv#code=${code}`);
  await page.fill("Benutzername", "anna");
  await page.fill("Passwort", password);
  await page.press("Login", screen.getByRole("main"));
  const field = await screen.findByLabelText<HTMLInputElement>("Code");
  expect(field.value).toBe(code);
  await page.fill("Wo steht er?", "Theke");
  await page.press("Verbinden");
  await expect.poll(pageText).toContain("„Theke“ ist verbunden.");
  expect(pageText(), "the emptied field counts its characters again").toContain("0/32");
  expect((await television.get("/api/tv/code", { "tv-token": secret })).json).toEqual({ state: "paired", scope: "tv" });
  expect(location.hash).toBe("");
});
