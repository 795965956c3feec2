import { expect, test } from "vitest";

import guide from "../../../docs/members.de.md?raw";
import { describeHeight, detectInstallMethod, parseGuide, shortNameOf } from "./rules.ts";

const safari = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0";
const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";

test.each([
  ["Freunde der Sonne", "FDS"],
  ["Kegelclub", "KEG"],
  ["Öz & 3 Freunde", "Ö3F"],
  ["1. FC Theke von 1985 e. V.", "1FTV1"],
  [" 🍻 ", "🍻"],
])("shortNameOf(%j) returns %j", (name, short) => expect(shortNameOf(name)).toBe(short));

test.each([
  ["ios", `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`, 5],
  ["ios", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Safari/605.1.15`, 5],
  ["mac-safari", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Safari/605.1.15`, 0],
  ["desktop", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36`, 0],
  ["desktop", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/142.0.0.0`, 10],
  ["desktop-firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", 0],
  ["android", `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 5],
  ["android-firefox", "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", 5],
])("detectInstallMethod returns “%s” for the browser %s", (way, userAgent, touchPoints) => {
  expect(detectInstallMethod(userAgent, touchPoints)).toBe(way);
});

test.each([
  [180, "1,80", "5,91"],
  [0, "0,00", "0,00"],
  [1, "0,01", "0,03"],
  [1.5, "0,02", "0,05"],
  [172.5, "1,73", "5,66"],
  [999, "9,99", "32,78"],
  [100_000, "1000,00", "3280,84"],
])("describeHeight converts %d cm to %s m and %s feet", (centimeters, meters, feet) => {
  expect(describeHeight(centimeters)).toMatchObject({
    meters: `Du bist ${meters} m groß!`,
    feet: `(Good to know: In Amerika sind das ${feet} Fuß.)`,
  });
});

test("describeHeight adds a remark only to impossible heights", () => {
  for (const usual of [100, 150, 180, 230]) expect(describeHeight(usual).remark).toBe("");
  for (const silly of [0, 1.5, 20, 99, 231, 999, 50_000]) expect(describeHeight(silly).remark).not.toBe("");
});

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
