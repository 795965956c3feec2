import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `npm run dev` finds the server: the default port of `serve`. */
const backend = "http://localhost:3000";
const backendPaths = ["/api", "/sanctum", "/broadcasting", "/internal"];

export default defineConfig({
  root: "web",
  plugins: [react()],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    // Nothing inline: the Content-Security-Policy allows neither inline scripts nor inline styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    // The first versions with light-dark(), nesting and popover, so that none of them is rewritten.
    target: ["chrome125", "edge125", "firefox128", "safari18"],
  },
  server: {
    proxy: {
      ...Object.fromEntries(backendPaths.map((path) => [path, { target: backend }])),
      "/app/": { target: backend, ws: true },
    },
  },
});
