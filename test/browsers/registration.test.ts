import { expect, test } from "vitest";

import { createE2eApp, phone } from "#test/e2e/e2e-app.ts";
import type { Browser } from "./browser.ts";
import { openFirefox } from "./firefox.ts";
import { expectSoundLayout } from "./layout.ts";
import { click, fill } from "./user.ts";
import { openWebKit } from "./webkit.ts";

const app = await createE2eApp();

const engines = [
  { engine: "Firefox", open: openFirefox },
  { engine: "WebKit", open: openWebKit },
];

test.each(engines)(
  "$engine shows all errors of a registration at once, and fills in the login after it",
  async ({ engine, open }) => {
    const { url } = await app.runCommand<{ url: string }>("invite", "create");
    const browser: Browser = await open(phone);
    try {
      await browser.goto(url);
      const text = () => browser.evaluate(() => document.body.textContent);
      await expect.poll(text, { timeout: 15_000 }).toContain("Du bist zu „Stammtisch“ eingeladen.");
      await fill(browser, "Passwort", "kurz");
      await click(browser, "main button", "Account erstellen");
      const errors = () =>
        browser.evaluate(() => [...document.querySelectorAll("form li")].map(({ textContent }) => textContent));
      await expect
        .poll(errors)
        .toEqual([
          "Benutzername muss ausgefüllt werden.",
          "Name muss ausgefüllt werden.",
          "E-Mail-Adresse muss ausgefüllt werden.",
          "Passwort muss mindestens 8 Zeichen lang sein.",
          "Passwort bestätigen muss ausgefüllt werden.",
        ]);
      await expectSoundLayout(browser);
      const uname = engine.toLowerCase();
      await fill(browser, "Benutzername", uname);
      await fill(browser, "Name", "Neuling");
      await fill(browser, "E-Mail-Adresse", `${uname}@stammtisch.example`);
      await fill(browser, "Passwort", "-Hopfen-und-Malz");
      await fill(browser, "Passwort bestätigen", "kurz-Hopfen-und-Malz");
      await click(browser, "main button", "Account erstellen");
      const login = () =>
        browser.evaluate(() => [
          location.pathname + location.hash,
          document.querySelector<HTMLInputElement>("[name=uname]")?.value,
          document.activeElement?.getAttribute("name"),
        ]);
      await expect.poll(login).toEqual(["/login", uname, "password"]);
    } finally {
      await browser.close();
    }
  },
);
