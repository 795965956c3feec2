import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";

import { build, type Plugin } from "vite";

import { listFiles } from "./list-files.ts";

/**
 * Builds the service worker `sw.js`. Runs after all other files are written, because it contains
 * the list of files to cache.
 */
export function serviceWorker(): Plugin {
  let root = "";
  let outDir = "";
  let target: string | string[] | false = false;
  return {
    name: "service-worker",
    apply: "build",
    configResolved(config) {
      ({ root } = config);
      ({ outDir, target } = config.build);
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler(error) {
        if (error !== undefined) return;
        await build({
          configFile: false,
          root,
          publicDir: false,
          logLevel: "warn",
          define: { SHELL: JSON.stringify(describeShell(outDir)) },
          build: {
            outDir,
            emptyOutDir: false,
            target,
            rolldownOptions: {
              input: join(root, "service-worker.ts"),
              output: { entryFileNames: "sw.js", format: "iife" },
            },
          },
        });
      },
    },
  };
}

/**
 * Returns the value of the constant SHELL in web/worker/shell.ts: the files that the service worker
 * caches.
 */
function describeShell(outDir: string): { version: string; page: string; files: string[] } {
  const page = "/offline";
  const paths = listFiles(outDir).filter(isNeededOffline);
  const hash = createHash("sha256");
  for (const path of paths) hash.update(relative(outDir, path)).update(readFileSync(path));
  const files = paths.map((path) => `/${relative(outDir, path)}`).map((path) => (path === "/index.html" ? page : path));
  return { version: hash.digest("hex").slice(0, 16), page, files };

  function isNeededOffline(path: string): boolean {
    const name = relative(outDir, path);
    // Leaves out files that are not needed offline: robots.txt, the pictures of the install dialog
    // and of the guide, and files whose names begin with a dot, which only the server reads.
    return name !== "robots.txt" && !/^(\.|screenshots)/.test(name) && !basename(path).startsWith("members-");
  }
}
