// Checks the workflows and other files that only the repository's host uses.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly include: readonly object[] } };
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const paths = globSync(".github/workflows/*.yml", { cwd: root }).toSorted();
const workflows = Object.fromEntries(paths.map((path) => [path, parse(read(path)) as Workflow]));
const ci = workflows[".github/workflows/ci.yml"]!;
const nightly = workflows[".github/workflows/nightly.yml"]!;
const release = workflows[".github/workflows/release.yml"]!;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

test("every push, every proposed change and every release runs .ci/run", () => {
  expect(Object.keys(ci.on)).toEqual(["push", "pull_request", "workflow_call"]);
  expect(stepsOf(ci).map(({ run }) => run)).toContain(".ci/run");
  expect(release.jobs["test"]?.uses).toBe("./.github/workflows/ci.yml");
});

test("all tests run every night", () => {
  expect(nightly.on["schedule"]).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }]);
  expect(stepsOf(nightly).map(({ run }) => run)).toContain("npm run test:nightly");
});

test("a release tag is published only after the tests and the check of the tag have passed", () => {
  expect(release.on).toEqual({ push: { tags: ["v*"] } });
  expect(release.jobs["build"]?.needs).toEqual(["check", "test"]);
  expect(release.jobs["image"]?.needs).toEqual(["check", "build"]);
  expect(release.jobs["release"]?.needs).toBe("image");
  const check =
    'npm run release-files -- "$GITHUB_REF_NAME" "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY" release "$IMAGE_REGISTRY"';
  expect(release.jobs["check"]?.steps?.[1]?.run).toContain(check);
});

test("the published image is built on machines of its two architectures, with bill of materials and provenance, and signed", () => {
  expect(release.jobs["build"]?.strategy?.matrix.include).toEqual([
    { arch: "amd64", runner: "ubuntu-24.04" },
    { arch: "arm64", runner: "ubuntu-24.04-arm" },
  ]);
  expect(stepsOf(release).some(({ run }) => run?.includes("cosign sign --yes"))).toBe(true);
  const build = stepsOf(release).find(({ uses }) => uses?.startsWith("docker/build-push-action@"));
  expect(build?.with).toMatchObject({
    push: true,
    sbom: true,
    provenance: "mode=max",
  });
});

test("workflows pin actions to a commit with the version in a comment, and give jobs only the permissions that they use", () => {
  for (const [path, { permissions, jobs }] of Object.entries(workflows)) {
    const used = read(path).match(/(?<=uses: )(?!\.\/).+/g) ?? [];
    expect(used.length, path).toBeGreaterThan(0);
    for (const action of used) expect(action, path).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    expect(permissions, path).toEqual({ contents: "read" });
    for (const [name, job] of Object.entries(jobs)) expect(job.uses ?? job["timeout-minutes"], name).toBeDefined();
  }
  expect(ci.jobs["test"]?.permissions).toBeUndefined();
  expect(release.jobs["build"]?.permissions).toEqual({ contents: "read", packages: "write" });
  expect(release.jobs["image"]?.permissions).toEqual({ packages: "write", "id-token": "write" });
  expect(release.jobs["release"]?.permissions).toEqual({ contents: "write" });
});

test("no workflow script contains a GitHub expression, through which a branch or tag name could inject commands", () => {
  const scripts = Object.values(workflows).flatMap((workflow) => stepsOf(workflow).flatMap(({ run }) => run ?? []));
  expect(scripts.length).toBeGreaterThan(3);
  expect(scripts.filter((script) => script.includes("${{"))).toEqual([]);
});

test("the changelog has a section of each release, and begins with the unreleased changes", () => {
  const headings = read("CHANGELOG.md").match(/^## .+$/gm) ?? [];
  expect(headings[0]).toBe("## [Unreleased]");
  for (const heading of headings.slice(1)) expect(heading).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  const kinds = new Set(read("CHANGELOG.md").match(/(?<=^### ).+$/gm));
  const known = new Set(["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]);
  expect([...kinds].filter((kind) => !known.has(kind))).toEqual([]);
});

test("the version has a section of the changelog or ends with -dev, in package.json and package-lock.json alike", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  if (!read("CHANGELOG.md").includes(`\n## [${version}] - `)) expect(version).toMatch(/^\d+\.\d+\.\d+-dev$/);
  const lock = JSON.parse(read("package-lock.json")) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  expect([lock.version, lock.packages[""]?.version]).toEqual([version, version]);
});

test("Renovate pins images by digest, and updates a dependency a week after its release at the earliest", () => {
  expect(JSON.parse(read("renovate.json"))).toMatchObject({
    extends: expect.arrayContaining(["docker:pinDigests"]),
    minimumReleaseAge: "7 days",
    internalChecksFilter: "strict",
  });
});

test("documents that name an address to clone name that of package.json, and no version that is not in the changelog", () => {
  const { repository } = JSON.parse(read("package.json")) as { repository: string };
  for (const path of ["README.md", ...globSync("docs/*.md", { cwd: root })]) {
    for (const [, address] of read(path).matchAll(/git clone (\S+)/g)) expect(address, path).toBe(repository);
    for (const [tag, version] of read(path).matchAll(/(?:checkout v|stammtisch:)(\d+\.\d+\.\d+)/g))
      expect(read("CHANGELOG.md"), `${path}: ${tag}`).toContain(`\n## [${version}] - `);
  }
});

test("issue forms have only text and dropdown fields, each with a label and a unique id", () => {
  const forms = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: root }).filter((path) => !path.endsWith("config.yml"));
  expect(forms).toHaveLength(2);
  for (const path of forms) {
    const form = parse(read(path)) as {
      name: string;
      description: string;
      body: { type: string; id: string; attributes: { label: string; options?: string[] } }[];
    };
    expect([form.name, form.description], path).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set(form.body.map(({ id }) => id)).size, path).toBe(form.body.length);
    for (const { type, attributes } of form.body) {
      expect(["textarea", "input", "dropdown"], path).toContain(type);
      expect(attributes.label, path).toEqual(expect.any(String));
      expect(attributes.options !== undefined, `${path}: ${attributes.label}`).toBe(type === "dropdown");
    }
  }
  expect(parse(read(".github/ISSUE_TEMPLATE/config.yml"))).toEqual({ blank_issues_enabled: false });
});

test("the development container forwards the ports of npm start and npm run dev", () => {
  const container = JSON.parse(read(".devcontainer/devcontainer.json")) as Record<string, unknown>;
  expect(container).toMatchObject({ forwardPorts: [3000, 5173], postCreateCommand: "npm run build" });
});
