import { createHash } from "node:crypto";
import { once } from "node:events";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve as resolvePath } from "node:path";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { brotliCompress, gzip } from "node:zlib";

import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin, type Rolldown } from "vite";

/** Where `npm run dev` finds the server: the default port of `serve`. */
const backend = "http://localhost:3000";
const backendPaths = ["/api", "/sanctum", "/broadcasting", "/internal", "/manifest.webmanifest"];

// The first versions with light-dark(), nesting and popover, so that none of them is rewritten.
const target = ["chrome125", "edge125", "firefox128", "safari18"];
const web = join(import.meta.dirname, "web");
/** Where the pages are built: dist, or what `--outDir` names. */
let dist = join(import.meta.dirname, "dist");

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
  plugins: [react(), smallerIcons(), finishing()],
  build: {
    outDir: dist,
    emptyOutDir: true,
    // Nothing inline: the Content-Security-Policy allows neither inline scripts nor inline styles.
    assetsInlineLimit: 0,
    // What the first page needs stands in its HTML; the app itself loads the rest ahead.
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
              test: /(contract|web\/ui)\/(member-fields|new-password-fields|notice|steps|mat-message|disclosure)\.|platform\/form\.|features\/group\/(pages|components\/message)/,
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
  let filesByPath: Record<string, string[]> = {};
  return {
    name: "finishing",
    apply: "build",
    configResolved({ root, build: { outDir } }) {
      dist = resolvePath(root, outDir);
    },
    generateBundle(_options, bundle) {
      filesByPath = findFilesOfPages(bundle);
    },
    async closeBundle(error) {
      if (error) return;
      const pages = await writePages(filesByPath);
      await buildServiceWorker();
      await compressTexts();
      // For the server alone, which sends no files whose names begin with a dot.
      await writeFile(join(dist, ".pages.json"), JSON.stringify(pages));
    },
  };
}

/** Takes from the icons of lucide-react what create-icon.ts does not use: names, and keys that no file can be compressed by. */
function smallerIcons(): Plugin {
  return {
    name: "smaller-icons",
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler: (code) => code.replaceAll(/,\s*key: "\w+"/g, "").replaceAll(/^__iconData\.node;$/gm, ""),
    },
  };
}

/** What each page needs beyond the files that index.html names, by its path. */
function findFilesOfPages(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  // In the order of their rules.
  const filesOf = (chunk: Rolldown.OutputChunk): string[] => [
    ...chunks.filter(({ fileName }) => chunk.imports.includes(fileName)).flatMap(filesOf),
    ...(chunk.viteMetadata?.importedCss ?? []),
    chunk.fileName,
  ];
  const filesWith = (module: string): string[] =>
    chunks.filter(({ moduleIds }) => moduleIds.includes(join(web, module))).flatMap(filesOf);
  const named = new Set(filesWith("main.tsx"));
  const pages = readPages().map(({ path, module, isForMembers }) => {
    const files = [...(isForMembers ? filesWith("members.tsx") : []), ...filesWith(module)];
    return [path, [...new Set(files)].filter((file) => !named.has(file))] as const;
  });
  return Object.fromEntries(pages);
}

/**
 * Writes index.html, which is for addresses without a page and for the service worker. Returns the other pages by their paths:
 * what they load, their titles, and what they show before the app has started. The server puts the group's settings into them.
 */
async function writePages(filesByPath: Record<string, string[]>): Promise<Record<string, string>> {
  const { unknownPage, skeletons } = await renderSkeletons();
  const index = join(dist, "index.html");
  // What stands in the page needs no script but early.js, which starts the app once it is on the screen.
  const early = await buildScript("public/early.js", "assets/early-[hash].js");
  const html = (await readFile(index, "utf8"))
    // By a name of its own, since a service worker of another version keeps what it knows as /early.js.
    .replace("/early.js", `/${early}`)
    .replace(
      /<script type="module" crossorigin src="(.*?)"><\/script>/,
      '<link rel="modulepreload" data-app crossorigin href="$1">',
    )
    .replaceAll('<link rel="modulepreload"', scriptLink);
  const write = (head: string, skeleton: Skeleton): string =>
    html
      .replace(/<title>.*<\/title>/, `<title>${skeleton.title}</title>`)
      // Where browsers know it: no part of the page is painted alone.
      .replace("</head>", `${head}<link rel="expect" href="#whole" blocking="render"></head>`)
      .replace('<div id="root">', `$&${skeleton.html}<i id="whole" hidden></i>`);
  const pages = Object.entries(skeletons).map(([path, skeleton]) => {
    const files = filesByPath[path];
    if (!files)
      throw new Error(`route.tsx of ${path}: write its page as "page: NAME", in which the build looks for its files.`);
    const head = `<meta name="group" content="%group%" />${files.map(toLink).join("")}`;
    return [path, write(head, skeleton)];
  });
  await writeFile(index, write("", unknownPage));
  await rm(join(dist, "early.js"));
  return Object.fromEntries(pages);
}

/** What stands in a page before the app has started: the title of the document, and HTML. */
interface Skeleton {
  readonly title: string;
  readonly html: string;
}

/** For a script that early.js loads after the first paint. */
const scriptLink = '<link rel="modulepreload" media="not all"';

function toLink(file: string): string {
  const link = file.endsWith(".css") ? '<link rel="stylesheet"' : scriptLink;
  return `${link} crossorigin href="/${file}">`;
}

/** Renders the pages as they are while their data are loading, apart from the build, since it needs a browser's globals. */
async function renderSkeletons(): Promise<{ unknownPage: Skeleton; skeletons: Record<string, Skeleton> }> {
  const outDir = await mkdtemp(join(tmpdir(), "skeletons-"));
  await build({
    configFile: false,
    root: "web",
    resolve,
    plugins: [react()],
    publicDir: false,
    logLevel: "warn",
    // With the same small icons as the app.
    ssr: { noExternal: true },
    build: {
      ssr: "skeletons.tsx",
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: "skeletons.mjs" } },
    },
  });
  const run = `import(${JSON.stringify(join(outDir, "skeletons.mjs"))}).then(({ unknownPage, skeletons }) =>
    require("node:worker_threads").parentPort.postMessage({ unknownPage, skeletons }))`;
  const worker = new Worker(run, { eval: true, execArgv: [], env: { NODE_ENV: "production" } });
  const [rendered] = await once(worker, "message");
  await worker.terminate();
  await rm(outDir, { recursive: true });
  return rendered;
}

/** The pages of all route.tsx: their paths and modules. */
function readPages(): { path: string; module: string; isForMembers: boolean }[] {
  return globSync("features/*/route.tsx", { cwd: web }).flatMap((file) => {
    const text = readFileSync(join(web, file), "utf8");
    const modules = new Map(
      [...text.matchAll(/const (\w+) = lazyPage\(.*?import\("(.+?)"\)/g)].map(([, name, module]) => [name, module!]),
    );
    return [...text.matchAll(/path: "(.+?)".*?who: (\[?"[\w-]+").*?page: (\w+)/gs)].map(([, path, who, name]) => {
      const module = modules.get(name);
      const isForMembers = who !== '"guest"' && who !== '"everyone"';
      // The login is part of the app itself.
      return { path: path!, module: module === undefined ? "main.tsx" : join(dirname(file), module), isForMembers };
    });
  });
}

/** Builds /sw.js, which knows the name of each file of the pages. */
async function buildServiceWorker(): Promise<void> {
  const paths = builtFiles()
    .filter((path) => path !== join(dist, "robots.txt"))
    // Pictures of the guide, which is opened once, and often not at all.
    .filter((path) => !basename(path).startsWith("members-"))
    // Only shown by the browser's own question before the app is installed.
    .filter((path) => !path.startsWith(join(dist, "screenshots")));
  const hash = createHash("sha256");
  for (const path of paths) hash.update(path.slice(dist.length)).update(readFileSync(path));
  const page = "/offline";
  const files = paths.map((path) => path.slice(dist.length).replace(/^\/index\.html$/, page));
  const define = { SHELL: JSON.stringify({ version: hash.digest("hex").slice(0, 16), page, files }) };
  await buildScript("service-worker.ts", "sw.js", define);
}

/** Builds a script that is no module, and returns its name. */
async function buildScript(
  input: string,
  entryFileNames: string,
  define: Record<string, string> = {},
): Promise<string> {
  const { output } = (await build({
    configFile: false,
    root: "web",
    resolve,
    publicDir: false,
    logLevel: "warn",
    define,
    build: {
      outDir: dist,
      emptyOutDir: false,
      target,
      rolldownOptions: { input: join(web, input), output: { entryFileNames, format: "iife" } },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].fileName;
}

/** Writes `FILE.br` and `FILE.gz` beside each text that gets smaller by it, for the server to send in its place. */
async function compressTexts(): Promise<void> {
  const texts = builtFiles().filter((path) => /\.(css|js|json|svg|txt|webmanifest)$/.test(path));
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
