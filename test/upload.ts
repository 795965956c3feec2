import type { ClientResponse, Client } from "./client.ts";

export const boundary = "----stammtisch-test-boundary";

interface Part {
  readonly field?: string;
  readonly name?: string;
  readonly type?: string;
  /** Fields with a text beside the file. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** A multipart body with one file, as a browser sends it. */
export function multipartForm(
  file: Buffer,
  { field = "avatar", name = "bild.png", type = "image/png", texts = {} }: Part = {},
): Buffer {
  const fields = Object.entries(texts).map(
    ([key, text]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${text}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(fields.join("") + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Sends a body as the picture form, or as another one. */
export async function sendForm(
  client: Client,
  body: Buffer,
  headers: Record<string, string> = {},
  path = "/api/images/avatar",
): Promise<ClientResponse> {
  return client.send("POST", path, {
    body,
    headers: {
      "x-xsrf-token": client.csrfToken,
      "x-requested-with": "XMLHttpRequest",
      "content-type": `multipart/form-data; boundary=${boundary}`,
      ...headers,
    },
  });
}

export function upload(client: Client, file: Buffer, part: Part = {}): Promise<ClientResponse> {
  return sendForm(client, multipartForm(file, part));
}
