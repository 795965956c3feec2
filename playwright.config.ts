import { availableParallelism } from "node:os";

import { defineConfig } from "@playwright/test";

import { browserPath, chromiumFlags, usualWindow } from "./test/e2e/e2e-app.ts";

const { reducedMotion, ...window } = usualWindow;

export default defineConfig({
  outputDir: ".build/playwright/results",
  reporter: [
    [process.env["PLAYWRIGHT_EVENTS"] ? "./scripts/playwright-events.ts" : "list"],
    ["html", { open: "never", outputFolder: ".build/playwright/report" }],
  ],
  // Long, so that tests do not fail on a slow machine.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // One more than the cores, because tests often wait for a browser or a server.
  workers: availableParallelism() + 1,
  // Node runs our TypeScript itself.
  build: { external: ["**"] },
  use: {
    ...window,
    contextOptions: { reducedMotion },
    serviceWorkers: "block",
    launchOptions: { executablePath: browserPath(false), args: chromiumFlags },
    screenshot: "only-on-failure",
    // Recording takes a third more time.
    trace: process.env["TRACE"] ? "retain-on-failure" : "off",
  },
  projects: [{ name: "e2e", testDir: "test/e2e" }],
});
