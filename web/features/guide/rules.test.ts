import { expect, test } from "vitest";

import guide from "../../../docs/members.de.md?raw";
import { parseGuide } from "./rules.ts";

test("a guide has a title, headings, pictures, lists and paragraphs", () => {
  const markdown =
    "# Titel\n\nEin **guter**\nSatz.\n\n## Teil\n\n![Bild](pictures/a.webp)\n\n- eins\n  weiter\n- `zwei`\n";
  expect(parseGuide(markdown)).toEqual({
    title: "Titel",
    blocks: [
      {
        kind: "paragraph",
        spans: [
          { kind: "text", text: "Ein " },
          { kind: "strong", text: "guter" },
          { kind: "text", text: " Satz." },
        ],
      },
      { kind: "heading", text: "Teil" },
      { kind: "picture", name: "a.webp", text: "Bild" },
      { kind: "list", items: [[{ kind: "text", text: "eins weiter" }], [{ kind: "code", text: "zwei" }]] },
    ],
  });
});

test("nothing of the members' guide is left unparsed", () => {
  const { title, blocks } = parseGuide(guide);
  expect(title).toBe("Anleitung für Mitglieder");
  expect(blocks.filter(({ kind }) => kind === "picture")).toHaveLength(3);
  expect(JSON.stringify(blocks)).not.toMatch(/\*\*|\]\(|##|`/);
});
