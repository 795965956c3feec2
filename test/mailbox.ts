import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { TestApp } from "./test-app.ts";

export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  /** Content of the mail's file, unparsed. */
  readonly raw: string;
  /** The links in the plain text. */
  readonly links: readonly string[];
}

/** Delivers pending mails and returns every mail that the app has written so far, oldest first. */
export async function readMails({ context, config }: TestApp): Promise<ReceivedMail[]> {
  await context.outbox.sendDue("mail");
  return readOutbox(config.dataDir);
}

export function readOutbox(dataDir: string): ReceivedMail[] {
  const folder = join(dataDir, "outbox");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".eml"));
  return files.sort().map((name) => {
    const raw = readFileSync(join(folder, name), "utf8");
    const header = (field: string) => new RegExp(`^${field}: (.*(?:\r\n .*)*)`, "m").exec(raw)?.[1] ?? "";
    const text = raw.slice(raw.indexOf("text/plain"), raw.indexOf("text/html"));
    return {
      to: header("To"),
      subject: decodeWords(header("Subject")),
      raw,
      links: text.match(/https?:\/\/\S+/g) ?? [],
    };
  });
}

/** Decodes the encoded words of a header (RFC 2047), as mail programs do. */
function decodeWords(header: string): string {
  return header
    .replaceAll(/\?=\r\n\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?q\?(.*?)\?=/gi, (_, word: string) =>
      decodeURIComponent(word.replaceAll("_", " ").replaceAll("%", "%25").replaceAll("=", "%")),
    );
}
