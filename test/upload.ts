import type { Answer, Visitor } from "./visitor.ts";

export const boundary = "----stammtisch-test-boundary";

/** A multipart body with one file, as a browser sends it. */
export function formWith(file: Buffer, { field = "avatar", name = "bild.png", type = "image/png" } = {}): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Sends a body as the picture form, or as another one. */
export async function sendForm(
  visitor: Visitor,
  body: Buffer,
  headers: Record<string, string> = {},
  path = "/api/images/avatar",
): Promise<Answer> {
  return visitor.send("POST", path, {
    body,
    headers: {
      "x-xsrf-token": visitor.token,
      "x-requested-with": "XMLHttpRequest",
      "content-type": `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
  });
}

export function upload(visitor: Visitor, file: Buffer, part: Parameters<typeof formWith>[1] = {}): Promise<Answer> {
  return sendForm(visitor, formWith(file, part));
}
