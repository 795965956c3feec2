import { screen, within } from "@testing-library/dom";
import { expect, test, vi } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { messageText, openPage, pageText } from "./open-page.tsx";

test("an administrator makes a backup, downloads one, and reads what the checks of the server say", async () => {
  const app = await createTestApp({ SMTP_URL: "smtp://127.0.0.1:1" }, { onDisk: true });
  const page = await openPage(await app.createMember("anna", ["admin"]), "/admin/system");
  await screen.findByText(/Noch keins\. Der Server macht jede Nacht eins\./);
  await page.press("Jetzt sichern");
  await expect.poll(messageText).toContain("Backup gemacht.");
  await screen.findByText(/Das letzte: .+ MB\./);

  const problems = await screen.findByRole("list", { name: "Probleme" });
  expect(within(problems).getByText("E-Mail").parentElement?.textContent).toContain("SMTP_URL: the mail server");

  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await page.press("Herunterladen …");
  const dialog = await screen.findByRole("dialog", { name: "Backup herunterladen" });
  await page.press("Herunterladen", dialog);
  await expect.poll(() => saved).toEqual(["stammtisch.backup"]);
});

test("the admin area warns after a week without a backup, and names the last failure", async () => {
  const app = await createTestApp();
  const state = { since: 0, made_at: null, bytes: null, verified_at: null, failure: "/backup has only 1 MB left." };
  await app.db
    .insertInto("settings")
    .values({ key: "backups", value: JSON.stringify(state) })
    .execute();
  const page = await openPage(await app.createMember("anna", ["admin"]), "/admin/audit");
  await page.user.click(await screen.findByRole("link", { name: "Seit einer Woche kein Backup" }));
  await screen.findByText("Seit einer Woche gibt es kein neues Backup.");
  await expect.poll(pageText).toContain("/backup has only 1 MB left.");
});
