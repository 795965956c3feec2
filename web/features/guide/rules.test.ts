import { expect, test } from "vitest";

import guide from "../../../docs/members.de.md?raw";
import { parseGuide } from "./rules.ts";

test("parseGuide returns a title, an introduction, and sections with pictures, lists and paragraphs", () => {
  const markdown =
    "# Titel\n\nEin **guter**\nSatz.\n\n## Teil\n\n![Bild](pictures/a.webp)\n\n- eins\n  weiter\n- `zwei`\n\n## Ende\n\nAus.\n";
  expect(parseGuide(markdown)).toEqual({
    title: "Titel",
    introduction: [
      {
        kind: "paragraph",
        spans: [
          { kind: "text", text: "Ein " },
          { kind: "strong", text: "guter" },
          { kind: "text", text: " Satz." },
        ],
      },
    ],
    sections: [
      {
        heading: "Teil",
        picture: { name: "a.webp", text: "Bild" },
        blocks: [{ kind: "list", items: [[{ kind: "text", text: "eins weiter" }], [{ kind: "code", text: "zwei" }]] }],
      },
      {
        heading: "Ende",
        picture: undefined,
        blocks: [{ kind: "paragraph", spans: [{ kind: "text", text: "Aus." }] }],
      },
    ],
  });
});

test("parseGuide parses all Markdown syntax that the members' guide uses", () => {
  const parsed = parseGuide(guide);
  expect(parsed.title).toBe("Anleitung für Mitglieder");
  expect(parsed.sections.filter(({ picture }) => picture !== undefined)).toHaveLength(3);
  expect(JSON.stringify(parsed)).not.toMatch(/\*\*|\]\(|##|`/);
});
