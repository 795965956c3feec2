import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { build, type Plugin } from "vite";

import { listFiles } from "./list-files.ts";

/** Runs last, because `sw.js` contains the list of files to cache. */
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

/** Returns the value of SHELL in web/worker/shell.ts. */
function describeShell(outDir: string): { version: string; page: string; files: string[] } {
  const page = "/offline";
  // Without the pictures of the install dialog and of the guide.
  const paths = listFiles(outDir).filter(
    (path) => !/^(robots\.txt|screenshots\/|assets\/members-)/.test(relative(outDir, path)),
  );
  const hash = createHash("sha256");
  for (const path of paths) hash.update(relative(outDir, path)).update(readFileSync(path));
  const files = paths.map((path) => `/${relative(outDir, path)}`).map((path) => (path === "/index.html" ? page : path));
  return { version: hash.digest("hex").slice(0, 16), page, files };
}
