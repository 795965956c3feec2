import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin } from "vite";

/** Where `npm run dev` finds the server: the default port of `serve`. */
const backend = "http://localhost:3000";
const backendPaths = ["/api", "/sanctum", "/broadcasting", "/internal", "/manifest.webmanifest"];

// The first versions with light-dark(), nesting and popover, so that none of them is rewritten.
const target = ["chrome125", "edge125", "firefox128", "safari18"];
const dist = join(import.meta.dirname, "dist");

export default defineConfig({
  root: "web",
  plugins: [react(), serviceWorker()],
  build: {
    outDir: dist,
    emptyOutDir: true,
    // Nothing inline: the Content-Security-Policy allows neither inline scripts nor inline styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    target,
  },
  server: {
    proxy: {
      ...Object.fromEntries(backendPaths.map((path) => [path, { target: backend }])),
      "/app/": { target: backend, ws: true },
    },
  },
});

/** Builds /sw.js once the pages are there, because it knows the name of each of their files. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    async closeBundle(error) {
      if (error) return;
      const paths = readdirSync(dist, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== "robots.txt")
        .map((entry) => join(entry.parentPath, entry.name))
        // Only shown by the browser's own question before the app is installed.
        .filter((path) => !path.startsWith(join(dist, "screenshots")))
        .toSorted();
      const hash = createHash("sha256");
      for (const path of paths) hash.update(path.slice(dist.length)).update(readFileSync(path));
      const files = paths.map((path) => path.slice(dist.length).replace(/^\/index\.html$/, "/"));
      await build({
        configFile: false,
        root: "web",
        publicDir: false,
        logLevel: "warn",
        define: { SHELL: JSON.stringify({ version: hash.digest("hex").slice(0, 16), files }) },
        build: {
          outDir: dist,
          emptyOutDir: false,
          target,
          rolldownOptions: { input: "web/service-worker.ts", output: { entryFileNames: "sw.js", format: "iife" } },
        },
      });
    },
  };
}
