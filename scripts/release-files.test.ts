import { expect, test } from "vitest";

import { findRelease, imageOf } from "./release-files.ts";

const changelog = `# Changelog

## [Unreleased]

### Added
- Soon.

## [1.1.0] - 2026-12-24

### Added
- Presents.

## [1.0.0] - 2026-11-27

First.

## [0.9.0] - 2026-01-01
`;

const repository = "https://git.example/Anna/stammtisch";
const dockerfile = `ARG NODE_IMAGE=node:26-slim@sha256:${"0a".repeat(32)}\n`;
const find = (tag: string, version: string, changes: { from?: string; dockerfile?: string } = {}) =>
  findRelease(
    tag,
    { repository: changes.from ?? repository, registry: "images.example" },
    {
      manifest: JSON.stringify({ version, repository }),
      changelog,
      dockerfile,
      ...changes,
    },
  );

test("the release notes of a version are the section of CHANGELOG.md about that version", () => {
  const release = {
    version: "1.1.0",
    repository,
    image: "images.example/anna/stammtisch",
    notes: "### Added\n- Presents.\n",
  };
  expect(find("v1.1.0", "1.1.0")).toEqual(release);
  expect(find("v1.0.0", "1.0.0")).toMatchObject({ notes: "First.\n" });
});

test("a release is refused from another repository, and with a base image without a digest", () => {
  const problem =
    "package.json names the repository https://git.example/Anna/stammtisch, not https://git.example/ben/copy.";
  expect(find("v1.1.0", "1.1.0", { from: "https://git.example/ben/copy" })).toEqual({ problem });
  expect(find("v1.1.0", "1.1.0", { dockerfile: "ARG NODE_IMAGE=node:26-slim\n" })).toEqual({
    problem: "The Dockerfile names its base image without a digest.",
  });
});

test("the image is at the registry of the repository's host unless another one is named", () => {
  expect(imageOf("https://git.example/Anna/stammtisch")).toBe("git.example/anna/stammtisch");
});

test.each([
  ["v1.0.1", "1.0.0", "The tag v1.0.1 does not match version 1.0.0"],
  ["1.0.0", "1.0.0", "The tag 1.0.0 does not match version 1.0.0"],
  ["v1.1.1", "1.1.1", 'CHANGELOG.md has no section "## [1.1.1]'],
  ["v0.9.0", "0.9.0", 'CHANGELOG.md has no section "## [0.9.0]'],
  ["v1.0.0-rc.1", "1.0.0-rc.1", 'CHANGELOG.md has no section "## [1.0.0-rc.1]'],
])("findRelease refuses the tag %s for version %s", (tag, version, problem) => {
  expect(find(tag, version)).toEqual({ problem: expect.stringContaining(problem) });
});
