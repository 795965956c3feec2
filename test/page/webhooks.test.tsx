import { screen, within } from "@testing-library/dom";
import { expect, test } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { messageText, openPage, pageText } from "./open-page.tsx";

test("an administrator adds a webhook, sees its secret once, tests it, and removes it", async () => {
  const app = await createTestApp({ WEBHOOK_ALLOW_PRIVATE: "1" });
  const page = await openPage(await app.createMember("anna", ["admin"]), "/admin/webhooks");
  await screen.findByText(/Noch kein Webhook/);
  await page.press("Hinzufügen");
  const dialog = await screen.findByRole("dialog", { name: "Webhook hinzufügen" });
  await page.fill("Name", "Zapfanlage", dialog);
  await page.user.selectOptions(within(dialog).getByLabelText("Empfänger"), "Eigenes Programm");
  await page.fill("Adresse", "http://127.0.0.1:9/hook", dialog);
  await page.user.click(within(dialog).getByRole("switch", { name: "Türchen" }));
  await page.press("Hinzufügen", dialog);
  await within(dialog).findByText(/whsec_/);
  await page.press("Fertig", dialog);

  const list = await screen.findByRole("list", { name: "Webhooks" });
  expect(list.textContent).toContain("Zapfanlage");
  expect(list.textContent).toContain("Eigenes Programm · 127.0.0.1:9");
  expect(list.textContent).not.toContain("Türchen");
  expect(pageText()).not.toContain("whsec_");
  await page.press("Testen: Zapfanlage");
  await expect.poll(messageText).toContain("Der Empfänger ist nicht erreichbar.");

  await page.press("Bearbeiten: Zapfanlage");
  const edit = await screen.findByRole("dialog", { name: "Zapfanlage" });
  await page.press("Entfernen …", edit);
  await page.press("Entfernen", edit);
  await screen.findByText(/Noch kein Webhook/);
});
