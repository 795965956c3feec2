import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { home } from "./prepare.js";
import { run as writeBillOfMaterials } from "./supply-chain.ts";

interface Release {
  readonly version: string;
  /** Address of the repository, as in package.json. */
  readonly repository: string;
  /** Name of the image, without its tag. */
  readonly image: string;
  readonly notes: string;
}

/** By the names that the files have beside the release. GitHub renames files that begin with a dot. */
const templates = {
  "env.example": "deploy/env.example",
  "stammtisch.xml": "deploy/unraid/stammtisch.xml",
  "casaos-docker-compose.yml": "deploy/casaos/docker-compose.yml",
  "umbrel-app.yml": "deploy/umbrel/umbrel-app.yml",
  "umbrel-docker-compose.yml": "deploy/umbrel/docker-compose.yml",
} as const;

const read = (path: string) => readFileSync(join(home, path), "utf8");

/**
 * `npm run release-files TAG REPOSITORY FOLDER [REGISTRY]`: checks that TAG may be released from REPOSITORY, and writes
 * its notes, the name of its image and, in FOLDER/assets, the files of the release.
 */
export async function run([tag = "", repository = "", folder = "", registry]: readonly string[]): Promise<number> {
  if (folder === "") return fail("Usage: npm run release-files TAG REPOSITORY FOLDER [REGISTRY]");
  const release = findRelease(
    tag,
    { repository, registry },
    {
      manifest: read("package.json"),
      changelog: read("CHANGELOG.md"),
      dockerfile: read("Dockerfile"),
    },
  );
  if ("problem" in release) return fail(release.problem);
  const assets = join(folder, "assets");
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(folder, "notes.md"), release.notes);
  writeFileSync(join(folder, "image"), release.image);
  for (const [name, text] of Object.entries(fillTemplates(release))) writeFileSync(join(assets, name), text);
  copyFileSync(join(home, "web/public/icons/icon-512.png"), join(assets, "icon.png"));
  const code = await writeBillOfMaterials([join(assets, "stammtisch.cdx.json")]);
  const sums = readdirSync(assets).map(
    (name) =>
      `${createHash("sha256")
        .update(readFileSync(join(assets, name)))
        .digest("hex")}  ${name}\n`,
  );
  writeFileSync(join(assets, "SHA256SUMS"), sums.join(""));
  return code;
}

function fail(problem: string): number {
  console.error(problem);
  return 1;
}

/** Returns the reason why this tag cannot be released from this repository, if there is one. */
export function findRelease(
  tag: string,
  { repository, registry }: { readonly repository: string; readonly registry?: string | undefined },
  { manifest, changelog, dockerfile }: Readonly<Record<"manifest" | "changelog" | "dockerfile", string>>,
): Release | { readonly problem: string } {
  const { version, repository: own } = JSON.parse(manifest) as { version: string; repository: string };
  if (tag !== `v${version}`) return { problem: `The tag ${tag} does not match version ${version} of package.json.` };
  if (repository !== own) return { problem: `package.json names the repository ${own}, not ${repository}.` };
  if (!/^ARG NODE_IMAGE=\S+@sha256:[\da-f]{64}$/m.test(dockerfile))
    return { problem: "The Dockerfile names its base image without a digest." };
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => one.startsWith(`[${version}] - `) && /^\S+ - \d{4}-\d\d-\d\d\n/.test(one));
  const text = section?.split("\n").slice(1).join("\n").trim() ?? "";
  if (text === "") return { problem: `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD".` };
  return { version, repository, image: imageOf(repository, registry), notes: `${text}\n` };
}

/** Without `registry`, the container registry has the address of the repository's host, as with Forgejo and Gitea. */
export function imageOf(repository: string, registry = ""): string {
  const { host, pathname } = new URL(repository);
  return `${registry || host}${pathname}`.toLowerCase();
}

/** The Compose file takes the published image, because nothing can be built without a clone. */
export function fillTemplates({ version, repository, image }: Omit<Release, "notes">): Record<string, string> {
  const values: Readonly<Record<string, string>> = {
    "@VERSION@": version,
    "@REPOSITORY@": repository,
    "@IMAGE@": `${image}:${version}`,
  };
  const filled = Object.entries(templates).map(([name, path]) => [
    name,
    read(path).replaceAll(/@[A-Z]+@/g, (placeholder) => values[placeholder]!),
  ]);
  const [, services = ""] = read("compose.yaml").split(/^(?=services:)/m);
  const compose = services
    .replace(/^ +build:\n(?: {6,}.+\n)+/m, "")
    .replaceAll("${STAMMTISCH_IMAGE:-stammtisch}", `\${STAMMTISCH_IMAGE:-${image}:${version}}`);
  const head = `# Stammtisch ${version}. How to start it: ${repository}, docs/hosting.md\nname: stammtisch\n\n`;
  return { "compose.yaml": head + compose, ...(Object.fromEntries(filled) as Record<string, string>) };
}
