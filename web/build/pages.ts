import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

import react from "@vitejs/plugin-react";
import { build, type Plugin, type Rolldown } from "vite";

import type { BuiltPage, RenderedPage } from "../../contract/built-pages.ts";
import { makeInert } from "./make-inert.ts";

/**
 * Writes `.pages.json`, from which the server reads the HTML, styles and scripts of each page. The
 * name begins with a dot, so that the server does not serve the file.
 */
export function pages(): Plugin {
  let root = "";
  let outDir = "";
  let chunks: Rolldown.OutputChunk[] = [];
  return {
    name: "pages",
    apply: "build",
    configResolved(config) {
      ({ root } = config);
      ({ outDir } = config.build);
    },
    generateBundle(_options, bundle) {
      chunks = Object.values(bundle).filter((file) => file.type === "chunk");
    },
    async closeBundle(error) {
      if (error !== undefined) return;
      const rendered = await renderPages(root);
      const built: BuiltPage[] = rendered.map(({ module, ...page }) => {
        const loaded = [
          "main.tsx",
          ...(page.who === "guest" || page.who === "everyone" ? [] : ["members.tsx"]),
          module,
        ];
        return {
          ...page,
          html: makeInert(page.html),
          ...listFilesOf(
            loaded.map((path) => join(root, path)),
            chunks,
          ),
        };
      });
      await writeFile(join(outDir, ".pages.json"), JSON.stringify(built));
    },
  };
}

/** Builds web/placeholders.tsx for Node and runs its renderPages() in a worker thread. */
async function renderPages(root: string): Promise<RenderedPage[]> {
  const outDir = await mkdtemp(join(tmpdir(), "placeholders-"));
  try {
    await build({
      configFile: false,
      root,
      plugins: [react()],
      publicDir: false,
      logLevel: "error",
      ssr: { noExternal: true },
      build: {
        ssr: "placeholders.tsx",
        outDir,
        assetsInlineLimit: 0,
        rolldownOptions: { output: { entryFileNames: "placeholders.mjs" } },
      },
    });
    // Uses a worker thread, because open handles of the app, e.g. channels to other tabs, would
    // keep the build process running.
    const workerData = pathToFileURL(join(outDir, "placeholders.mjs")).href;
    const worker = new Worker(new URL("render-pages.ts", import.meta.url), {
      workerData,
      // Turns off browser storage, about which Node would print a warning.
      execArgv: ["--no-experimental-webstorage"],
    });
    const [rendered] = (await once(worker, "message")) as [RenderedPage[]];
    await worker.terminate();
    return rendered;
  } finally {
    await rm(outDir, { recursive: true });
  }
}

/** Returns the files that contain these modules, preceded by the files that they import. */
function listFilesOf(
  modules: readonly string[],
  chunks: readonly Rolldown.OutputChunk[],
): Pick<BuiltPage, "styles" | "scripts"> {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visited = new Set<Rolldown.OutputChunk>();
  for (const module of modules) chunks.filter(({ moduleIds }) => moduleIds.includes(module)).forEach(visit);
  return { styles: [...styles], scripts: [...scripts] };

  function visit(chunk: Rolldown.OutputChunk): void {
    if (visited.has(chunk)) return;
    visited.add(chunk);
    chunks.filter(({ fileName }) => chunk.imports.includes(fileName)).forEach(visit);
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
    scripts.add(chunk.fileName);
  }
}
