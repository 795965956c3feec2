import { join } from "node:path";

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

import { compress } from "./web/build/compress.ts";
import { pages } from "./web/build/pages.ts";
import { serviceWorker } from "./web/build/service-worker.ts";

/** Address of the server during `npm run dev`, which chooses its port. */
const backend = `http://127.0.0.1:${process.env["SERVER_PORT"] ?? 3000}`;
const backendPaths = ["/api", "/sanctum", "/broadcasting", "/internal", "/manifest.webmanifest"];

export default defineConfig({
  root: "web",
  resolve: {
    // TanStack's store imports the variant of use-sync-external-store for React 17, which brings
    // its own useSyncExternalStore. Our React has this hook, so the plain variant suffices.
    alias: { "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector" },
  },
  plugins: [react(), pages(), serviceWorker(), compress()],
  build: {
    outDir: join(import.meta.dirname, "dist"),
    emptyOutDir: true,
    // The first browser versions with light-dark(), nesting and popover, so that these features are
    // not transpiled.
    target: ["chrome125", "edge125", "firefox128", "safari18"],
    // The Content-Security-Policy allows neither inline scripts nor inline styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Switches off a warning about modules that are imported both dynamically and statically: the
      // groups below give these modules their own chunks.
      checks: { ineffectiveDynamicImport: false },
      output: {
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"] },
            { name: "app", test: /web\/main\.tsx/ },
            { name: "queries", test: /@tanstack\/(react-)?query|data\/query-client/ },
            { name: "guest", test: isSharedByGuests },
            // The code that every member page loads, and the counter, because members start on it.
            { name: "member", test: /web\/(members|features\/beers\/counter-page)\.tsx/ },
            { name: "passkeys", test: /@simplewebauthn/ },
            { name: "shared", minShareCount: 2, test: (id) => !isOfAdmin(id) },
            { name: "admin", test: /features\/.+admin-page\.tsx/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      ...Object.fromEntries(backendPaths.map((path) => [path, { target: backend }])),
      "/app/": { target: backend, ws: true },
    },
  },
});

/**
 * Returns `true` for modules that pages of guests share with other pages. In any other chunk,
 * guests would have to load the rest of that chunk, too.
 */
function isSharedByGuests(id: string): boolean {
  return (
    /web\/ui\/(beer-mat|dialog|disclosure|mat-message|notice|steps)\./.test(id) ||
    /web\/(forms\/form|session\/link-token|features\/accounts\/account-fields)\.|contract\/member-fields\./.test(id) ||
    /features\/group\/rules/.test(id)
  );
}

/** Returns `true` for modules that several admin pages load, and no other page. */
function isOfAdmin(id: string): boolean {
  return /web\/(admin\/|features\/.+\/admin-)/.test(id);
}
