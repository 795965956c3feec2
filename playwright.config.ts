import { availableParallelism } from "node:os";

import { defineConfig } from "@playwright/test";

import { findProgram, firefox } from "./scripts/system-programs.ts";
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
  projects: [
    // One worker, because Vitest uses the cores at the same time.
    { name: "e2e", testDir: "test/e2e", workers: 1 },
    {
      name: "firefox",
      testDir: "test",
      testMatch: ["e2e/*.test.ts", "browsers/*.test.ts"],
      grep: /@firefox/,
      // A browser that starts takes as long as two tests. The same holds for WebKit.
      workers: 1,
      use: {
        browserName: "firefox",
        // Debian's Firefox, controlled with WebDriver BiDi.
        channel: "moz-firefox",
        contextOptions: {},
        // Taking a screenshot makes Firefox log a violation of the Content-Security-Policy.
        screenshot: "off",
        launchOptions: { executablePath: findProgram(firefox) ?? firefox.package },
      },
    },
    { name: "webkit", testDir: "test/browsers", testMatch: "webkit*.test.ts", workers: 1 },
    { name: "browsers", testDir: "test/browsers", testIgnore: ["firefox.test.ts", "webkit*.test.ts"] },
  ],
});
