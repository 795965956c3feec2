import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the command lines in the code blocks under a heading of a file in docs/. */
export function listDocumentedCommands(page: string, heading: string): string[] {
  const text = readFileSync(join(import.meta.dirname, "../docs", page), "utf8");
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const blocks = [...section.split("\n## ")[0]!.matchAll(/^```\n(.*?)^```$/gms)];
  return blocks.flatMap(([, block]) => block!.trim().split("\n")).map((line) => line.replace(/ +#.*/, ""));
}

/** The commands that set up the app as a systemd service. */
export const setUp = listDocumentedCommands("hosting.md", "Without Docker, as a service");
