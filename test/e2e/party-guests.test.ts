import { expect, test } from "vitest";

import { createE2eApp } from "./e2e-app.ts";

const app = await createE2eApp();

test("a party guest's beer that was counted offline is booked once by the next opened page", async () => {
  await app.registerMembers("Anna");
  const anna = await app.loggedInClient("anna");
  const { id } = (await anna.post("/api/parties", { name: "Grillen" })).json;
  await anna.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
  const total = async () => (await anna.get(`/api/parties/${id}`)).json.total;

  const page = await app.loggedInPage("anna", { path: `/party/${id}` });
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Ein Bier für Mia" }).click();
  await page.getByText("1 Bier noch ohne Empfang").waitFor();
  const context = page.context();
  await page.close();
  expect(await total()).toBe(0);

  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(`${app.url}/height-calculator`);
  await expect.poll(total).toBe(1);
  await next.goto(`${app.url}/party/${id}`);
  await next.getByRole("button", { name: "Letztes Bier von Mia zurücknehmen" }).click();
  await expect.poll(total).toBe(0);
  await context.close();
});
