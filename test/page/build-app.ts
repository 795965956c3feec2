import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { build, type Rolldown } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Of app.tsx. */
    readonly pageCode: string;
  }
}

/** Without state, and therefore shared by all pages of a worker. Each page has its own of all other modules. */
const shared = /^(#contract\/|(react|react-dom|zod|lucide-react)(\/|$))/;

/** Evaluating the bundle takes milliseconds, unlike hundreds of modules. */
export async function setup(project: TestProject): Promise<() => void> {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      target: "esnext",
      lib: { entry: "app.tsx", formats: ["cjs"] },
      rolldownOptions: {
        external: shared,
        output: { codeSplitting: false },
      },
    },
  });
  const [{ output }] = built as [Rolldown.RolldownOutput];
  const folder = mkdtempSync(join(tmpdir(), "stammtisch-pages-"));
  const file = join(folder, "app.cjs");
  writeFileSync(file, output[0].code);
  project.provide("pageCode", file);
  return () => rmSync(folder, { recursive: true });
}
