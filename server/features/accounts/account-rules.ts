/** First characters that make a spreadsheet read a cell as a formula, including full-width forms. */
const formulaPattern = /^[=+\-@\t\r\n＝＋－＠]/;

/** Uses semicolons, which German spreadsheets expect, and escapes formulas. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(";")}\r\n`;
}

function csvCell(text: string): string {
  const safe = formulaPattern.test(text) ? `'${text}` : text;
  return /[;"\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Formats epoch ms for German spreadsheets: `20.11.2026` and `20:30:00`. */
export function createDateTimeFormat(timeZone: string): (at: number) => [day: string, time: string] {
  const day = new Intl.DateTimeFormat("de-DE", { timeZone, day: "2-digit", month: "2-digit", year: "numeric" });
  const time = new Intl.DateTimeFormat("de-DE", { timeZone, timeStyle: "medium" });
  return (at) => [day.format(at), time.format(at)];
}

/** Streams one JSON document: first the fields of `head`, then one array per list. */
export async function* streamJson(
  head: object,
  lists: Readonly<Record<string, AsyncIterable<readonly object[]>>>,
): AsyncGenerator<string> {
  yield JSON.stringify(head, null, 2).slice(0, -"\n}".length);
  for (const [name, pages] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let separator = "\n    ";
    for await (const items of pages) {
      if (items.length === 0) continue;
      yield separator + items.map((item) => JSON.stringify(item)).join(",\n    ");
      separator = ",\n    ";
    }
    yield "\n  ]";
  }
  yield "\n}\n";
}
