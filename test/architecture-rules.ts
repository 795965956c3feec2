// Architecture rules that the linter cannot check. Each message says where the code belongs instead.
import { readFileSync } from "node:fs";
import { posix } from "node:path";

import { findUnclearEnglish } from "./english-rules.ts";

/** File contents by path; paths are relative to the project's root. */
export type SourceFiles = ReadonlyMap<string, string>;

/**
 * Layers from the lowest to the highest. A file may import from its own layer and lower ones; every
 * file may import the contract.
 */
const serverLayers = [
  /^server\/(config(-[a-z]+)?|time)\.ts$/,
  /^server\/db\//,
  /^server\/platform\//,
  /^server\/features\//,
  /^server\/features\.ts$/,
  /^server\/app\.ts$/,
  /^server\/(main|cli|jobs)\.ts$/,
];
const webLayers = [/^web\/(ui|client)\//, /^web\/page\//, /^web\/admin\//, /^web\/features\//, /^web\/(app|worker)\//];

const serverFileNames = /^(feature|tables|jobs|export|demo|([a-z-]+-)?(routes|store|actions|rules|commands))\.ts$/;
const webFileNames = /^[a-z0-9-]+(\.module\.css|\.tsx?)$/;

const source = /\.(ts|tsx|js)$/;
/**
 * Returns `true` for files whose English is checked. The tests of these rules are excluded, because
 * they contain violations.
 */
const isEnglish = (path: string) => /\.(ts|tsx|js|css)$/.test(path) && !path.startsWith("test/architecture-rules.");
const testFile = /\.test\.tsx?$/;

/** Returns a message for every violation of the rules in these files. */
export function findViolations(files: SourceFiles): string[] {
  const sources = [...files].filter(([path]) => source.test(path));
  const graph = new Map(sources.map(([path, text]) => [path, importsOf(path, text)]));
  return [
    ...sources.flatMap(([path, text]) => [...nameRules(path), ...textRules(path, text)]),
    ...[...graph].flatMap(([path, targets]) => targets.flatMap((target) => importRules(path, target))),
    ...importCycles(graph, "an import cycle; move what both need into a file below them."),
    ...importCycles(
      featureGraph(graph),
      "features use each other; move what both need into a third one or below the features.",
    ),
    ...[...files].flatMap(([path, text]) => placeRules(path, text)),
    ...[...files].filter(([path]) => isEnglish(path)).flatMap(([path, text]) => findUnclearEnglish(path, text)),
  ];
}

export function readSourceFiles(root: string, paths: readonly string[]): SourceFiles {
  return new Map(paths.map((path) => [path, readFileSync(posix.join(root, path), "utf8")]));
}

function nameRules(path: string): string[] {
  const violations: string[] = [];
  const names = path.split("/");
  const vague = names.find((name) => /^(utils?|helpers?|common|misc|lib)(\.|$)/.test(name));
  if (vague) violations.push(`${path}: "${vague}" says nothing; name the file after the noun it is about.`);
  if (!/^[a-z0-9.-]+$/.test(names.at(-1)!)) violations.push(`${path}: file names are kebab-case.`);
  if (/^index\.tsx?$/.test(names.at(-1)!)) violations.push(`${path}: no barrels; import from the file that has it.`);

  const [, side, feature, rest] = /^(server|web)\/features\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (!side || !feature || !rest) return violations;
  if (testFile.test(path)) return violations;
  // Two features have extra folders: game-servers for code that talks to engines and games, import
  // for code that parses files of other programs.
  const isDriver = feature === "game-servers" && /^(drivers|protocols|manager)\//.test(rest);
  const isFormat = feature === "import" && rest.startsWith("formats/");
  const isProgram = rest === "demo-game-server.ts" || rest === "operation-worker.ts";
  if (side === "server" && !serverFileNames.test(rest) && !isDriver && !isFormat && !isProgram) {
    violations.push(
      `${path}: a server feature has feature, tables, routes, store, actions, rules, jobs, commands, export, demo. SQL goes to ` +
        "store, what happens to actions, pure decisions to rules; what is about no feature goes to server/platform.",
    );
  }
  if (side === "web" && !webFileNames.test(rest)) {
    violations.push(
      `${path}: a web feature is one folder with its screens, api.ts for what the server says and what the member does, and rules.ts for ` +
        "pure decisions; what is about no feature goes to web/ui.",
    );
  }
  return violations;
}

const maxLines = 400;

function textRules(path: string, text: string): string[] {
  const violations: string[] = [];
  const lines = text.split("\n").length - 1;
  if (lines > maxLines)
    violations.push(`${path}: ${lines} lines; which part of it is a file of its own? (${maxLines})`);
  if (/^(contract|server|web)\//.test(path) && /^export\s+(\*|\{[^}]*\}|type\s+\{[^}]*\})\s+from\s/m.test(text)) {
    violations.push(`${path}: re-exports what another file exports; import it from there.`);
  }
  if (/^test\/(e2e|browsers|faults)\//.test(path) && text.includes(".waitForTimeout("))
    violations.push(`${path}: sleeps; wait for what happens, or let the page's clock run (page.clock).`);
  if (/(?<!")(\/\/|\/\*) *(ox|es)lint-disable(?!.* -- \w)/.test(text))
    violations.push(`${path}: disables a lint rule without a reason; add it behind the rule: -- why.`);
  if (!path.startsWith("server/") || testFile.test(path)) return violations;

  if (/\bprocess\s*(\.\s*|\[\s*["'])env\b/.test(text) && path !== "server/config.ts") {
    violations.push(`${path}: reads the environment; take what you need from the Config (server/config.ts).`);
  }
  if (/\bsetInterval\(/.test(text) && path !== "server/time.ts")
    violations.push(`${path}: repeats work by itself; use every() of server/time.ts.`);
  if (path.endsWith("store.ts") && /\bfunction find\w+\([^)]*\): Promise<[^;]*\| null> \{/.test(text))
    violations.push(`${path}: a store returns undefined for what it did not find, not null.`);
  const hasSql = /\.(selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^>]*>)?`/.test(text);
  if (hasSql && !/[/-]store\.ts$|^server\/db\//.test(path))
    violations.push(`${path}: SQL belongs in the store.ts beside it.`);
  return violations;
}

function importRules(path: string, target: string): string[] {
  if (!/^(contract|server|web)\//.test(path)) return [];
  const no = (reason: string) => [`${path} imports ${target}: ${reason}`];
  const [from, to] = [path.split("/")[0], target.split("/")[0]];
  if (from === "contract" && target !== "zod/mini" && to !== "contract")
    return no("the contract imports only zod/mini and itself.");
  if (from === "server" && to === "web")
    return no("the server does not import pages; what both need goes to contract/.");
  if (from === "web" && to === "server") return no("pages do not import the server; what both need goes to contract/.");
  if (testFile.test(path)) return [];
  if (path.startsWith("web/client/") && /^(react|react-dom|#?web\/ui)\b/.test(target))
    return no("the client knows no React and shows nothing; web/page does.");
  if (/^(test|bench|scripts|art)$/.test(to!)) return no("the product does not import its tests and tools.");

  for (const layers of [serverLayers, webLayers]) {
    const [here, there] = [path, target].map((file) => layers.findIndex((layer) => layer.test(file)));
    if (here! >= 0 && there! > here!) return no("this is a higher layer; pass in what is needed, or move it down.");
  }
  const [, side, mine] = /^(server|web)\/features\/([^/]+)\//.exec(path) ?? [];
  const [, , theirs, file] = /^(server|web)\/features\/([^/]+)\/(.+)$/.exec(target) ?? [];
  if (!mine || !theirs || !file || mine === theirs) return [];
  if (side === "server" && !/^([a-z-]+-)?(store|actions|rules)\.ts$/.test(file))
    return no("another feature is used through its store, actions or rules.");
  return [];
}

function placeRules(path: string, text: string): string[] {
  const places =
    /registry\.[a-z]|npmjs|ghcr\.io|docker\.io\/|quay\.io|github\.com\/[\w-]+\/stammtisch|\/work\/|\/root\//i;
  const found = places.exec(text)?.[0];
  const isException = path.startsWith("test/architecture-rules") || path.endsWith("leaked-passwords.txt");
  return found && !isException ? [`${path}: names a place outside the repository (${found}).`] : [];
}

function importCycles(graph: ReadonlyMap<string, readonly string[]>, problem: string): string[] {
  const violations: string[] = [];
  const done = new Set<string>();
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) {
      const cycle = [...trail.slice(trail.indexOf(path)), path];
      violations.push(`${cycle.join(" → ")}: ${problem}`);
    } else if (!done.has(path)) {
      for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    }
  }
  for (const path of graph.keys()) visit(path, []);
  return violations;
}

/** Returns the features of the same side that each feature imports. */
function featureGraph(graph: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  for (const [path, targets] of graph) {
    const from = featureOf(path);
    if (!from || testFile.test(path)) continue;
    const used = targets.flatMap((target) => featureOf(target) ?? []).filter((to) => to !== from);
    uses.set(from, [...(uses.get(from) ?? []), ...used]);
  }
  return uses;
}

function featureOf(path: string): string | undefined {
  return /^(?:server|web)\/features\/[^/]+(?=\/)/.exec(path)?.[0];
}

/** Returns the imports of a file: paths of this project and names of packages. */
function importsOf(path: string, text: string): string[] {
  const targets = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)].map((match) => match[1]!);
  return targets.map((target) => {
    if (target.startsWith("#")) return target.slice(1);
    return target.startsWith(".") ? posix.join(posix.dirname(path), target) : target;
  });
}
