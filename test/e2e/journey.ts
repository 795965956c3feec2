import { type BrowserContextOptions, expect, type Page, test as base } from "@playwright/test";

import { beginTest, endFile, endTest } from "#test/cleanup.ts";
import { type E2eApp, type E2eServer, type E2eServerOptions, openE2eApp, startE2eServer } from "./e2e-app.ts";

export interface Options {
  /**
   * Settings of the server. Files with the same settings share one server per worker, unless they
   * name an `own` one.
   */
  installation: E2eServerOptions & { readonly own?: string };
  /**
   * Names of members by the key with which the tests refer to them. Each worker registers them once
   * per file, so that files share no members.
   */
  people: Readonly<Record<string, string>>;
}

export interface Fixtures {
  app: E2eApp;
  /** A page of a visitor. */
  page: Page;
  quietConsole: void;
  endings: void;
}

export interface WorkerFixtures {
  /** Starts a server, or returns the running one with the same settings. */
  servers: (installation: Options["installation"]) => Promise<E2eServer>;
  /** Apps by file, server and members. */
  apps: Map<string, E2eApp>;
  endingsOfWorker: void;
}

/** Declares a test of a journey through the app in a browser. */
export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  installation: [{}, { option: true }],
  people: [{}, { option: true }],

  async app({ servers, apps, installation, people, browser }, give, { file }) {
    const key = JSON.stringify([file, installation, people]);
    if (!apps.has(key)) {
      for (const app of apps.values()) await app.closeAllPages();
      const newContext = (options: BrowserContextOptions) => browser.newContext(options);
      const app = openE2eApp(await servers(installation), newContext, String(apps.size + 1));
      await app.registerMembers(...Object.entries(people).map(([uname, name]) => ({ uname, name })));
      apps.set(key, app);
    }
    const app = apps.get(key)!;
    await give(app);
    await app.closePages();
  },

  page: async ({ app }, give) => give(await app.newPage()),

  servers: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      const running = new Map<string, Promise<E2eServer>>();
      await give((installation) => {
        const key = JSON.stringify(installation);
        if (!running.has(key)) running.set(key, startE2eServer(installation));
        return running.get(key)!;
      });
      for (const server of running.values()) await (await server).process[Symbol.asyncDispose]();
    },
    { scope: "worker" },
  ],

  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  apps: [async ({}, give) => give(new Map()), { scope: "worker" }],

  quietConsole: [
    // Fails the test if the code in its own process wrote errors or warnings to the console.
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      const messages: string[] = [];
      const { error, warn } = console;
      console.error = console.warn = (...words: unknown[]) => void messages.push(words.join(" "));
      await give();
      Object.assign(console, { error, warn });
      expect(messages, "the console was written to").toEqual([]);
    },
    { auto: true },
  ],

  endings: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      beginTest();
      await give();
      await endTest();
    },
    { auto: true },
  ],

  endingsOfWorker: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      await give();
      await endFile();
    },
    { scope: "worker", auto: true },
  ],
});
