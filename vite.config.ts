import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin, type Rolldown } from "vite";

/** Where `npm run dev` finds the server: the default port of `serve`. */
const backend = "http://localhost:3000";
const backendPaths = ["/api", "/sanctum", "/broadcasting", "/internal", "/manifest.webmanifest"];

// The first versions with light-dark(), nesting and popover, so that none of them is rewritten.
const target = ["chrome125", "edge125", "firefox128", "safari18"];
const web = join(import.meta.dirname, "web");
const dist = join(import.meta.dirname, "dist");

/** Smaller code of our own in the place of a library's (docs/decisions/0042). */
const resolve = {
  alias: [
    { find: "zod/mini", replacement: join(import.meta.dirname, "web/platform/schema.ts") },
    { find: /^.*\/createLucideIcon\.mjs$/, replacement: join(import.meta.dirname, "web/ui/create-icon.ts") },
  ],
};

export default defineConfig({
  root: "web",
  resolve,
  plugins: [react(), finishing()],
  build: {
    outDir: dist,
    emptyOutDir: true,
    // Nothing inline: the Content-Security-Policy allows neither inline scripts nor inline styles.
    assetsInlineLimit: 0,
    // What the first page needs stands in index.html and in the Link header; the app itself loads the rest ahead.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === "html" ? files : []),
    },
    sourcemap: false,
    target,
    rolldownOptions: {
      onLog(_level, { code, message }) {
        if (code === "IMPORT_IS_UNDEFINED") throw new Error(message);
      },
      output: {
        codeSplitting: {
          groups: [
            { name: "vendor", test: /node_modules\/(react|react-dom|scheduler)\/|rolldown.runtime/ },
            { name: "app", tags: ["$initial"] },
            { name: "queries", test: /@tanstack|platform\/query-client/ },
            // What pages of guests share stands apart, so that they load nothing of the members'.
            { name: "dialog", test: /web\/(ui\/dialog|platform\/link-token)\./ },
            {
              name: "guest",
              test: /(contract|web\/ui)\/(member-fields|new-password-fields|notice|steps|mat-message)\.|platform\/form\.|features\/group\/(pages|components\/message)/,
            },
            // With all that they need: what runs on every page of a member, and the counter, where members begin.
            { name: "member", test: /web\/(members|features\/beercounter\/page)\.tsx/ },
            { name: "shared", minShareCount: 2, test: (id) => !isOfAdmin(id) },
            { name: "admin", test: isOfAdmin },
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

function isOfAdmin(id: string): boolean {
  return /\/(features|contract)\/admin/.test(id);
}

/** What is made of the pages once all their files are there. */
function finishing(): Plugin {
  let preloads: Record<string, string[]> = {};
  return {
    name: "finishing",
    apply: "build",
    generateBundle(_options, bundle) {
      preloads = findPreloads(bundle);
    },
    async closeBundle(error) {
      if (error) return;
      await buildServiceWorker();
      await compressTexts();
      // For the server alone, which sends no files whose names begin with a dot.
      await writeFile(join(dist, ".preloads.json"), JSON.stringify(preloads));
    },
  };
}

/** What each page needs beyond the files that index.html names, by its path. */
function findPreloads(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const filesOf = (chunk: Rolldown.OutputChunk): string[] => [
    chunk.fileName,
    ...(chunk.viteMetadata?.importedCss ?? []),
    ...chunks.filter(({ fileName }) => chunk.imports.includes(fileName)).flatMap(filesOf),
  ];
  const filesWith = (module: string): string[] =>
    chunks.filter(({ moduleIds }) => moduleIds.includes(join(web, module))).flatMap(filesOf);
  const named = new Set(filesWith("main.tsx"));
  const pages = readPages().map(({ path, module, isForMembers }) => {
    const files = [...filesWith(module), ...(isForMembers ? filesWith("members.tsx") : [])];
    return [path, [...new Set(files)].filter((file) => !named.has(file))] as const;
  });
  return Object.fromEntries(pages.filter(([, files]) => files.length > 0));
}

/** The pages of all route.tsx: their paths and modules. */
function readPages(): { path: string; module: string; isForMembers: boolean }[] {
  return globSync("features/*/route.tsx", { cwd: web }).flatMap((file) => {
    const text = readFileSync(join(web, file), "utf8");
    const modules = new Map(
      [...text.matchAll(/const (\w+) = lazyPage\(.*?import\("(.+?)"\)/g)].map(([, name, module]) => [name, module!]),
    );
    return [...text.matchAll(/path: "(.+?)".*?who: (\[?"[\w-]+").*?page: (\w+)/gs)].flatMap(([, path, who, name]) => {
      const module = modules.get(name);
      const isForMembers = who !== '"guest"' && who !== '"everyone"';
      return module === undefined ? [] : [{ path: path!, module: join(dirname(file), module), isForMembers }];
    });
  });
}

/** Builds /sw.js, which knows the name of each file of the pages. */
async function buildServiceWorker(): Promise<void> {
  const paths = builtFiles()
    .filter((path) => path !== join(dist, "robots.txt"))
    // Only shown by the browser's own question before the app is installed.
    .filter((path) => !path.startsWith(join(dist, "screenshots")));
  const hash = createHash("sha256");
  for (const path of paths) hash.update(path.slice(dist.length)).update(readFileSync(path));
  const files = paths.map((path) => path.slice(dist.length).replace(/^\/index\.html$/, "/"));
  await build({
    configFile: false,
    root: "web",
    resolve,
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
}

/** Writes `FILE.br` and `FILE.gz` beside each text that gets smaller by it, for the server to send in its place. */
async function compressTexts(): Promise<void> {
  const texts = builtFiles().filter((path) => /\.(css|html|js|json|svg|txt|webmanifest)$/.test(path));
  await Promise.all(
    texts.map(async (path) => {
      const text = await readFile(path);
      // Brotli's own default is its best quality already.
      const versions = {
        ".br": await promisify(brotliCompress)(text),
        ".gz": await promisify(gzip)(text, { level: 9 }),
      };
      for (const [ending, bytes] of Object.entries(versions))
        if (bytes.length < text.length) await writeFile(path + ending, bytes);
    }),
  );
}

function builtFiles(): string[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
