import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { Endpoint } from "#contract/endpoint.ts";
import { fieldTexts, refusals } from "#contract/errors.ts";
import { configSchema, keyOf, type Variable } from "#server/config-schema.ts";
import { readSourceFiles, type SourceFiles } from "./architecture-rules.ts";
import {
  findDeadDecisions,
  findDeadEndpoints,
  findDeadLinks,
  findDeadPagePaths,
  findDeadProxyPaths,
  findDeadWords,
  findUnused,
  findUnusedPictures,
} from "./leftovers.ts";

const root = join(import.meta.dirname, "..");
const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => existsSync(join(root, path)));
const files = readSourceFiles(
  root,
  listed.filter((path) => /\.(tsx?|js|md)$|^bin\/stammtisch$|^deploy\/(Caddyfile|nginx\.conf)$/.test(path)),
);
const exists = (path: string) =>
  path.includes("*") ? globSync(path, { cwd: root }).length > 0 : existsSync(join(root, path));

/** Methods and paths of all endpoints, e.g. `GET /api/tv`. */
const endpoints = await listEndpoints();
/** Paths of the server: those of all endpoints, and the WebSocket. */
const served = [...endpoints.map((endpoint) => endpoint.split(" ")[1]!), "/app/"];

async function listEndpoints(): Promise<string[]> {
  const names = readdirSync(join(root, "contract")).filter((name) => !name.endsWith(".test.ts"));
  const modules = await Promise.all(names.map(async (name) => import(join(root, "contract", name))));
  return modules
    .flatMap((module: Record<string, unknown>) => Object.values(module))
    .filter(
      (value): value is Endpoint => typeof value === "object" && value !== null && "method" in value && "path" in value,
    )
    .map(({ method, path }) => `${method} ${path}`);
}

/** Returns the matches in the sources of the product without the tests and without the paths in `except`. */
function matchesInCode(pattern: RegExp, ...except: string[]): Set<string> {
  const code = [...files].filter(
    ([path]) => /^(contract|server|web)\//.test(path) && !/\.test\.tsx?$/.test(path) && !except.includes(path),
  );
  return new Set(code.flatMap(([, text]) => text.match(pattern) ?? []));
}

const file = (path: string, text: string): SourceFiles => new Map([[path, text]]);

test("every path that the files of the proxies name is one of the server", () => {
  expect(served.length).toBeGreaterThan(50);
  expect(findDeadProxyPaths(files, served)).toEqual([]);
});

test("every path in a text of the web app or of a notification is a page, an endpoint or a file", () => {
  const built = ["/assets/", "/index.html", "/offline", "/sw.js"];
  const publicFiles = listed.flatMap((path) => /^web\/public(\/.+)$/.exec(path)?.[1] ?? []);
  expect(findDeadPagePaths(files, [...served, ...publicFiles, ...built])).toEqual([]);
});

test("every endpoint that the documentation names exists", () => {
  expect(findDeadEndpoints(files, endpoints)).toEqual([]);
});

test("every link, file and decision that the documentation names exists", () => {
  expect(findDeadLinks(files, exists)).toEqual([]);
  expect(findDeadDecisions(files)).toEqual([]);
});

test("the list of decisions contains every decision record", () => {
  const list = files.get("docs/decisions/README.md")!;
  expect(
    globSync("0*.md", { cwd: join(root, "docs/decisions") }).filter((name) => !list.includes(`](${name})`)),
  ).toEqual([]);
});

test("the code contains every term of the glossary", () => {
  expect(findDeadWords(files)).toEqual([]);
});

test("a page shows every picture of the documentation", () => {
  expect(
    findUnusedPictures(
      files,
      listed.filter((path) => path.startsWith("docs/pictures/")),
    ),
  ).toEqual([]);
});

test("the code uses every refusal, text of a field and setting", () => {
  const quoted = matchesInCode(/(?<=[".])[\w-]+/g);
  // A setting is used by its key, or by its name while config.ts checks it.
  const words = matchesInCode(/\w+/g, "server/config-schema.ts");
  const settings = (Object.keys(configSchema.shape) as Variable[]).filter((name) => !words.has(name)).map(keyOf);
  expect([
    ...findUnused("refusal", Object.keys(refusals), quoted),
    ...findUnused("text of a field", Object.keys(fieldTexts), quoted),
    ...findUnused("setting", settings, words),
  ]).toEqual([]);
});

test.each([
  ["deploy/Caddyfile", "\t@large path /api/admin/calendar/* /api/admin/gone*", "/api/admin/gone"],
  ["deploy/Caddyfile", "\t@small not path /api/admin/gone/*", "/api/admin/gone/"],
  ["deploy/nginx.conf", "\tlocation ~ ^/api/admin/(calendar/|gone) {", "/api/admin/gone"],
  ["docs/proxy.md", "22 MB under `/api/admin/calendar/` and `/api/admin/gone`", "/api/admin/gone"],
  ["vite.config.ts", 'const backendPaths = ["/api", "/gone"];', "/gone"],
])("a path in %s that the server no longer has is reported", (path, text, dead) => {
  expect(findDeadProxyPaths(file(path, text), ["/api/admin/calendar/doors"])).toEqual([
    `${path}: the server has no path ${dead}.`,
  ]);
});

test("a path of a page that does not exist is reported, but not the beginning of an existing one", () => {
  const link = (text: string): SourceFiles =>
    new Map([
      ["web/features/parties/route.tsx", 'path: "/party/$id",'],
      ["web/shell/links.ts", text],
    ]);
  expect(findDeadPagePaths(link("to(`/party/${id}`)"), [])).toEqual([]);
  expect(findDeadPagePaths(link('["/gone", `/partys/${id}`]'), [])).toEqual([
    "web/shell/links.ts: there is no page /gone.",
    "web/shell/links.ts: there is no page /partys/.",
  ]);
});

test("a link, a heading, a path, a decision and an endpoint that do not exist are reported", () => {
  const text = `# My page\n[a](b.md), [c](#my-page), [d](#gone), \`server/gone.ts\`, decision 99, \`GET /api/gone\``;
  const page = file("docs/page.md", text);
  expect([
    ...findDeadLinks(page, (path) => path === "docs/page.md"),
    ...findDeadDecisions(page),
    ...findDeadEndpoints(page, ["GET /api/:id/gone"]),
  ]).toEqual([
    "docs/page.md: links to docs/b.md, which does not exist.",
    "docs/page.md: links to the heading #gone, which docs/page.md does not have.",
    "docs/page.md: names server/gone.ts, which does not exist.",
    "docs/page.md: there is no decision 99.",
    "docs/page.md: there is no endpoint GET /api/gone.",
  ]);
});

test("a term of the glossary that is not in the code, an unused picture and an unused name are reported", () => {
  const glossary: SourceFiles = new Map([
    ["docs/glossary.md", "| known | – | `isKnown` |\n| requester | – | reads `GONE` |"],
    ["server/app.ts", "const isKnown = refuse('used');"],
  ]);
  expect(findDeadWords(glossary)).toEqual([
    "docs/glossary.md: the code does not contain the word requester.",
    "docs/glossary.md: the code does not contain the word GONE.",
  ]);
  expect(findUnusedPictures(glossary, ["docs/pictures/gone.png"])).toHaveLength(1);
  expect(findUnused("refusal", ["used", "gone"], new Set(["used"]))).toEqual([
    "refusal gone: no code uses it; delete it.",
  ]);
});
