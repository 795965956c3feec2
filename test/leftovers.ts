// Finds what a removed feature left in files that no compiler reads: paths, settings, texts, words and links.
import { posix } from "node:path";

import type { SourceFiles } from "./architecture-rules.ts";

const sources = /^(bin|contract|server|web|test)\/(?!leftovers)/;
const testFile = /\.test\.tsx?$/;

/** Returns the texts of all files whose path matches `wanted`, except tests. */
function textOf(files: SourceFiles, wanted: RegExp): string {
  return [...files]
    .filter(([path]) => wanted.test(path) && !testFile.test(path))
    .map(([, text]) => text)
    .join("\n");
}

/** Returns a message for each name that is not in `used`. */
export function findUnused(kind: string, names: readonly string[], used: ReadonlySet<string>): string[] {
  return names.filter((name) => !used.has(name)).map((name) => `${kind} ${name}: no code uses it; delete it.`);
}

/** Paths that a proxy treats separately, e.g. `/api/admin/imports`, without wildcards. */
export function listProxyPaths(files: SourceFiles): { file: string; path: string }[] {
  const patterns: Record<string, RegExp> = {
    "deploy/Caddyfile": /(?<=^\s*@\w+ (?:not )?path .*)\/\S+/gm,
    "deploy/nginx.conf": /(?<=^\s*location ~ \^)\/\S+/gm,
    "docs/proxy.md": /(?<=`(?:[A-Z]+ )?)\/(?!etc\/)[\w/]+(?=`)/g,
    "vite.config.ts": /(?<=")\/[\w./]+(?=")/g,
  };
  return Object.entries(patterns).flatMap(([file, pattern]) =>
    (files.get(file)?.match(pattern) ?? [])
      .flatMap(expandGroups)
      .map((path) => ({ file, path: path.replace(/\*$/, "") })),
  );
}

/** Expands the groups of a regular expression, e.g. `/a/(b|c)` to `/a/b` and `/a/c`. */
function expandGroups(pattern: string): string[] {
  const group = /\(([^()]+)\)/.exec(pattern);
  if (!group) return [pattern];
  return group[1]!.split("|").flatMap((part) => expandGroups(pattern.replace(group[0], part)));
}

/** Returns a message for each path in the files of proxies that begins no path of the server. */
export function findDeadProxyPaths(files: SourceFiles, served: readonly string[]): string[] {
  return listProxyPaths(files)
    .filter(({ path }) => !served.some((one) => one.startsWith(path)))
    .map(({ file, path }) => `${file}: the server has no path ${path}.`);
}

/**
 * Returns a message for each path in texts of the web app, e.g. of a link, that is neither a page nor in `served`. Also
 * checks the server's rules and actions, whose paths are in notifications.
 */
export function findDeadPagePaths(files: SourceFiles, served: readonly string[]): string[] {
  const routes = [...textOf(files, /^web\/.+\.tsx$/).matchAll(/\bpath: "([^"]+)"/g)].map(([, path]) => path!);
  const isKnown = (named: string) =>
    [...routes, ...served].some(
      (one) => patternOf(one).test(named) || one.startsWith(named.endsWith("/") ? named : `${named}/`),
    );
  return [...files]
    .filter(([path]) => /^web\/|^server\/features\/[^/]+\/(rules|actions)\.ts$/.test(path) && !testFile.test(path))
    .flatMap(([path, text]) =>
      (text.match(/(?<=["`])\/[a-z][\w./-]*(?=["`?#$])/g) ?? [])
        .filter((named) => !isKnown(named))
        .map((named) => `${path}: there is no page ${named}.`),
    );
}

/** Returns a message for each endpoint, e.g. `GET /api/tv`, that a page of the documentation names and that does not exist. */
export function findDeadEndpoints(files: SourceFiles, endpoints: readonly string[]): string[] {
  const known = endpoints.map(patternOf);
  return [...files]
    .filter(([path]) => path.endsWith(".md") && path !== "CHANGELOG.md")
    .flatMap(([path, text]) =>
      (text.match(/(?<=`)(GET|POST|DELETE) \/[^`\s]+(?=`)/g) ?? [])
        .filter((endpoint) => !known.some((pattern) => pattern.test(endpoint)))
        .map((endpoint) => `${path}: there is no endpoint ${endpoint}.`),
    );
}

/** Matches a path whose parameters, e.g. `:id` or `$id`, have values. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(".", String.raw`\.`).replaceAll(/[:$]\w+/g, "[^/]+")}$`);
}

/** Returns a message for each link to a file or heading, and each path in code style, that does not exist. */
export function findDeadLinks(files: SourceFiles, exists: (path: string) => boolean): string[] {
  return [...files]
    .filter(([path]) => path.endsWith(".md"))
    .flatMap(([path, text]) => [
      ...[...text.matchAll(/(?:\]\(|<img [^>]*src=")(?!https?:)([^)"#\s]*)(?:#([^)\s]+))?[)"]/g)].flatMap(
        ([, file = "", heading]) => {
          const target = file === "" ? path : posix.join(posix.dirname(path), file);
          if (!exists(target)) return [`${path}: links to ${target}, which does not exist.`];
          const headings = files.get(target);
          if (heading === undefined || headings === undefined || slugsOf(headings).has(heading)) return [];
          return [`${path}: links to the heading #${heading}, which ${target} does not have.`];
        },
      ),
      ...(path === "CHANGELOG.md" ? [] : codePathsIn(text))
        .filter((target) => !exists(target))
        .map((target) => `${path}: names ${target}, which does not exist.`),
    ]);
}

/** Returns the paths of this repository in code style. Those with placeholders in capitals, and those of the example feature, are left out. */
function codePathsIn(text: string): string[] {
  const paths = text.match(/(?<=`)(bin|contract|server|web|test|scripts|deploy|docs|art|bench)\/[\w./*-]+(?=`)/g) ?? [];
  return paths.filter((path) => !/NNNN|NAME|FILE|shopping-list/.test(path));
}

/** Returns the ids that GitHub gives to the headings of a page. */
function slugsOf(markdown: string): Set<string> {
  const headings = markdown.match(/(?<=^#+ ).+$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Returns a message for each number of a decision in code or documentation that has no record. */
export function findDeadDecisions(files: SourceFiles): string[] {
  const numbers = new Set([...files.keys()].flatMap((path) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? []));
  return [...files]
    .filter(([path]) => !path.startsWith("test/leftovers"))
    .flatMap(([path, text]) =>
      [...text.matchAll(/\b(?:decision |docs\/decisions\/)(\d{1,4})\b/g)]
        .filter(([, number]) => !numbers.has(number!.padStart(4, "0")))
        .map(([, number]) => `${path}: there is no decision ${number}.`),
    );
}

/** Returns a message for each term of the glossary that is in the column "in the code", but not in the code. */
export function findDeadWords(files: SourceFiles): string[] {
  const code = textOf(files, sources).toLowerCase();
  const rows = (files.get("docs/glossary.md") ?? "").matchAll(/^\| ([^|\n]+) \| [^|\n]+ \| (.*) \|$/gm);
  return [...rows]
    .flatMap(([, term = "", meaning = ""]) => [
      ...(term.match(/[a-z]{3,}/gi) ?? []),
      ...[...meaning.matchAll(/`([^`]+)`/g)].flatMap(([, span]) => span!.match(/[\w-]{3,}/g) ?? []),
    ])
    .filter((word) => !code.includes(word.toLowerCase()))
    .map((word) => `docs/glossary.md: the code does not contain the word ${word}.`);
}

/** Returns a message for each picture of the documentation that no page shows. */
export function findUnusedPictures(files: SourceFiles, pictures: readonly string[]): string[] {
  const pages = textOf(files, /\.md$|^web\//);
  return pictures
    .filter((path) => !pages.includes(posix.basename(path)))
    .map((path) => `${path}: no page shows it; delete it here and in art/take-screenshots.ts.`);
}
