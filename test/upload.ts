import type { ClientResponse, Client } from "./client.ts";

export const boundary = "----stammtisch-test-boundary";

interface FormParts {
  readonly field?: string;
  readonly name?: string;
  readonly type?: string;
  /** Text fields of the form besides the file. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Returns a multipart body with one file, as a browser sends it. */
export function multipartForm(
  file: Buffer,
  { field = "avatar", name = "bild.png", type = "image/png", texts = {} }: FormParts = {},
): Buffer {
  const parts = Object.entries(texts).map(
    ([text, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(parts.join("") + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Posts a multipart body, by default to the endpoint that uploads profile pictures. */
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

export function upload(
  client: Client,
  file: Buffer,
  part: Parameters<typeof multipartForm>[1] = {},
): Promise<ClientResponse> {
  return sendForm(client, multipartForm(file, part));
}
