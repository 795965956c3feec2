import { join } from "node:path";

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

import { compress } from "./web/build/compress.ts";
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
  plugins: [react(), serviceWorker(), compress()],
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
      output: {
        // Otherwise, each module that two files share would be a file of its own: 68 scripts for the counter, of which
        // a browser sends six at once if the server has no HTTP/2.
        codeSplitting: {
          groups: [
            { name: "start", tags: ["$initial"] },
            { name: "live", test: /web\/app\/live\.tsx/ },
            { name: "icons", test: /lucide-react/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      ...Object.fromEntries(backendPaths.map((path) => [path, { target: backend }])),
      // The realtime socket, but no module of web/app.
      "^/app/[^/.?]+\\?": { target: backend, ws: true },
    },
  },
});
