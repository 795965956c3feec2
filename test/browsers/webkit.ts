import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import type { TestInfo } from "@playwright/test";
import { Builder, type WebDriver } from "selenium-webdriver";
import { ServiceBuilder } from "selenium-webdriver/safari.js";

import { phone } from "#test/e2e/e2e-app.ts";
import { test as journey } from "#test/e2e/journey.ts";
import { miniBrowser, requireProgram, webKitDriver, xvfb } from "../../scripts/system-programs.ts";

interface Fixtures {
  /** The worker's browser, logged out, with a window in the size of a phone. */
  webKit: WebDriver;
  /** Opens another browser with an empty profile; its `get` does not wait until the page has loaded. */
  openWebKit: () => Promise<WebDriver>;
}

interface WorkerFixtures {
  /** Address of the driver of WebKitGTK, whose browsers open on a virtual screen. */
  driverUrl: string;
  sharedWebKit: WebDriver;
}

/** Arguments of `setpriv` that end a program together with this process, even if this process is killed. */
const endWithParent = ["--pdeathsig", "TERM"];

/** Declares a test of a journey in WebKit. */
export const test = journey.extend<Fixtures, WorkerFixtures>({
  driverUrl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      const screenArgs = ["-displayfd", "1", "-screen", "0", "1440x900x24"];
      const screen = spawn("setpriv", [...endWithParent, requireProgram(xvfb), ...screenArgs], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const { value: display } = await createInterface(screen.stdout)[Symbol.asyncIterator]().next();
      // Without a graphics card, the renderer for graphics cards takes a third more processor time.
      const env = { DISPLAY: `:${display}`, WEBKIT_DISABLE_DMABUF_RENDERER: "1" };
      const driver = new ServiceBuilder("/usr/bin/setpriv")
        .addArguments(...endWithParent, requireProgram(webKitDriver))
        .setEnvironment({ ...(process.env as Record<string, string>), ...env })
        .build();
      await give(await driver.start());
      await driver.kill();
      screen.kill();
    },
    { scope: "worker" },
  ],

  sharedWebKit: [
    async ({ driverUrl }, give) => {
      const browser = await start(driverUrl, "normal");
      await give(browser);
      await browser.quit();
    },
    { scope: "worker" },
  ],

  async webKit({ app, sharedWebKit: browser }, give, info) {
    await browser.get(`${app.url}/robots.txt`);
    await browser.manage().deleteAllCookies();
    await browser
      .manage()
      .window()
      .setRect({ x: 0, y: 0, ...phone });
    await give(browser);
    await attachScreenshot(browser, info);
  },

  async openWebKit({ driverUrl }, give, info) {
    const opened: WebDriver[] = [];
    await give(async () => {
      const browser = await start(driverUrl, "none");
      opened.push(browser);
      await browser
        .manage()
        .window()
        .setRect({ x: 0, y: 0, ...phone });
      return browser;
    });
    for (const browser of opened) {
      await attachScreenshot(browser, info);
      await browser.quit();
    }
  },
});

/** Starts WebKitGTK's minimal browser. */
async function start(driverUrl: string, pageLoadStrategy: "normal" | "none"): Promise<WebDriver> {
  // Full screen hides the toolbar, which would prevent a window as narrow as a phone.
  const options = { binary: requireProgram(miniBrowser), args: ["--automation", "--full-screen"] };
  const capabilities = { browserName: "MiniBrowser", pageLoadStrategy, "webkitgtk:browserOptions": options };
  return new Builder().usingServer(driverUrl).withCapabilities(capabilities).build();
}

async function attachScreenshot(browser: WebDriver, test: TestInfo): Promise<void> {
  if (test.status === test.expectedStatus) return;
  const body = Buffer.from(await browser.takeScreenshot(), "base64");
  await test.attach("WebKit", { body, contentType: "image/png" });
}
