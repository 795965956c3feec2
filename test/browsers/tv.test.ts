import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, type Page } from "@playwright/test";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { type E2eApp, laptop, phone } from "#test/e2e/e2e-app.ts";
import { test } from "#test/e2e/journey.ts";
import { checkPage } from "#test/e2e/page-checks.ts";

const television = { width: 1920, height: 1080 };

test.use({ installation: { own: "tv" }, people: { anna: "Anna", ben: "Ben" } });
test.beforeAll(async ({ app }) => {
  await app.grant("anna", "admin");
  await drinkBefore(app, "ben", 98);
});

/** Imports beers with times before this test, as if from a paper list. */
async function drinkBefore(app: E2eApp, key: string, count: number): Promise<void> {
  const { uname } = app.members.find((member) => member.key === key)!;
  const file = join(createTemporaryFolder(), "beers.jsonl");
  const lines = Array.from({ length: count }, (_, second) => ({ uname, at: new Date(1e12 + second * 1000) }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  await app.runCommand("beers", "import", file);
}

const total = (tv: Page) => tv.locator("[data-counter=group]").textContent();
const shownCode = async (tv: Page) => (await tv.locator("[data-tv-code]").textContent())!;
const drink = (page: Page) => page.getByRole("button", { name: "Bier trinken" }).click();

/** Enters the code of a TV into the form of an administrator. */
async function connect(page: Page, code: string): Promise<void> {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByLabel("Wo steht er?").fill("Theke");
  await page.getByRole("button", { name: "Verbinden", exact: true }).click();
}

test("a TV is connected with a code, shows beers and celebrates the hundredth, and recovers from an outage", async ({
  app,
}) => {
  const tv = await app.newPage({ viewport: television });
  const anna = await app.loggedInPage("anna", { path: "/admin/tv" });

  await test.step("a TV shows beers without a login once an administrator has entered the TV's code", async () => {
    await tv.goto("/tv");
    await tv.getByRole("img", { name: "Fernseher verbinden als QR-Code" }).waitFor();
    await checkPage(tv, "/tv with a code");
    await anna.getByText("Noch kein Fernseher.").waitFor();
    await connect(anna, "AAAAAA");
    await anna.getByText("Dieser Code stimmt nicht").waitFor();
    await connect(anna, (await shownCode(tv)).toLowerCase());
    await anna.getByText("„Theke“ ist verbunden.").waitFor();
    await expect.poll(() => total(tv)).toBe("98");
    expect(await tv.getByRole("region", { name: "Die Säufer" }).getByRole("listitem").allTextContents()).toEqual([
      "Ben98",
      "Anna0",
    ]);
    expect(await tv.getByRole("banner").getByRole("button").count()).toBe(0);
    await tv.reload();
    await expect.poll(() => total(tv)).toBe("98");
  });

  await test.step("a beer tapped on a phone appears on the TV", async () => {
    await anna.goto("/beercounter");
    await Promise.all([tv.getByText("Prost, Anna!").waitFor(), drink(anna)]);
    await expect.poll(() => total(tv)).toBe("99");
    const latest = tv.getByRole("region", { name: "Zuletzt" }).getByRole("listitem");
    expect(await latest.first().textContent()).toBe("Annagerade eben");
  });

  await test.step("the group's hundredth beer is celebrated on every screen without covering the beer button", async () => {
    const ben = await app.loggedInPage("ben", { viewport: laptop, channel: "private-beercounter" });
    const moments = [anna, ben, tv].map((page) => page.getByRole("status").filter({ hasText: "Unser 100. Bier" }));
    const toast = anna.getByText("Prost von Ben!").waitFor();
    const shown = moments.map(async (moment) => {
      await moment.waitFor();
      return moment.textContent();
    });
    await drink(ben);
    const [onPhone, onLaptop] = await Promise.all(shown);
    expect(onPhone).toContain("gezapft von Ben");
    expect(onLaptop).toContain("gezapft von dir");
    await toast;
    // Playwright clicks the beer button only if the celebration does not cover it.
    await drink(anna);
    await expect.poll(() => total(tv)).toBe("101");
    await Promise.all(moments.map((moment) => moment.waitFor({ state: "detached" })));
  });

  await test.step("a TV shows a notice while the server is down, and recovers automatically", async () => {
    await app.kill();
    const notice = tv.getByText(/Keine Verbindung – Stand von/);
    await notice.waitFor();
    for (const size of [phone, television]) {
      await tv.setViewportSize(size);
      const { x, y, width, height } = (await notice.boundingBox())!;
      expect(Math.min(x, y, size.width - x - width, size.height - y - height), `${size.width} px`).toBeGreaterThan(0);
    }
    expect(await total(tv)).toBe("101");
    await app.start();
    await notice.waitFor({ state: "detached", timeout: 60_000 });
    await checkPage(tv, "/tv with a link");
  });

  await test.step("a TV whose link was revoked shows a new code, which connects the TV again", async () => {
    await anna.goto("/admin/tv");
    await anna.getByText("zuletzt an:").first().waitFor();
    await anna.getByRole("button", { name: "Theke zurückziehen" }).click();
    await anna.getByRole("dialog").getByRole("button", { name: "Zurückziehen" }).click();
    await tv.getByRole("heading", { name: "Dieser Fernseher ist abgemeldet" }).waitFor();
    expect(await tv.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("tv")))).toEqual([]);
    const code = await shownCode(tv);
    // Opens the address that a phone's camera reads from the QR code on the TV.
    await anna.goto(`/admin/tv#code=${code}`);
    expect(await anna.getByLabel("Code", { exact: true }).inputValue()).toBe(code);
    await connect(anna, code);
    await expect.poll(() => total(tv)).toBe("101");
    expect(anna.url()).toBe(`${app.url}/admin/tv`);
  });
});

test("a TV link connects a TV, and the link's token is removed from the address bar", async ({ app }) => {
  const anna = await app.loggedInPage("anna", { path: "/admin/tv" });
  await anna.getByRole("button", { name: "Mit Link verbinden" }).click();
  const dialog = anna.getByRole("dialog");
  await dialog.getByLabel("Wo steht er?").fill("Keller");
  await dialog.getByRole("button", { name: "Link machen" }).click();
  const link = (await dialog.locator("[data-copied]").textContent())!;
  await dialog.getByRole("img", { name: "Fernseher als QR-Code" }).waitFor();
  const tv = await app.newPage({ viewport: laptop });
  await tv.goto(link);
  await tv.locator("[data-counter=group]").waitFor();
  expect(tv.url()).toBe(`${app.url}/tv`);
});
