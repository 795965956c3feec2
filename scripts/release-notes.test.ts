import { expect, test } from "vitest";

import { findReleaseNotes } from "./release-notes.ts";

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

test("the release notes of a version are its section of CHANGELOG.md", () => {
  expect(findReleaseNotes("v1.1.0", "1.1.0", changelog)).toEqual({ text: "### Added\n- Presents.\n" });
  expect(findReleaseNotes("v1.0.0", "1.0.0", changelog)).toEqual({ text: "First.\n" });
});

test.each([
  ["v1.0.1", "1.0.0", "The tag v1.0.1 does not match version 1.0.0"],
  ["1.0.0", "1.0.0", "The tag 1.0.0 does not match version 1.0.0"],
  ["v1.1.1", "1.1.1", 'CHANGELOG.md has no section "## [1.1.1]'],
  ["v0.9.0", "0.9.0", 'CHANGELOG.md has no section "## [0.9.0]'],
  ["v1.0.0-rc.1", "1.0.0-rc.1", 'CHANGELOG.md has no section "## [1.0.0-rc.1]'],
])("findReleaseNotes refuses the tag %s for version %s", (tag, version, problem) => {
  expect(findReleaseNotes(tag, version, changelog)).toEqual({ problem: expect.stringContaining(problem) });
});
