import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";

import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";

import type { Endpoint, FormOf } from "#contract/endpoint.ts";
import { toFieldProblems } from "#contract/errors.ts";
import type { Config } from "#server/config.ts";
import { refuseMalformedForm, refuseTooLarge } from "./body.ts";
import { isDiskError } from "./errors.ts";
import { Refusal, refuseField, refuseFields } from "./refusal.ts";

const limits = {
  files: 1,
  fields: 2,
  parts: 3,
  headerPairs: 20,
  headerSize: 8192,
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
};

/** The parsed multipart form of an endpoint. Empty fields count as missing. */
export interface UploadedForm<E extends Endpoint> {
  readonly file: Buffer;
  readonly fields: FormOf<E>;
}

/**
 * Receives the multipart form of an endpoint and runs `work`, which reads it. Until `readForm` is called the form is in
 * a file in DATA_DIR that has no name any more: waiting uploads need no memory, and a kill leaves nothing behind. The server's
 * request timeout ends those that never finish.
 */
export async function withUpload<E extends Endpoint, Result>(
  { config }: { readonly config: Config },
  request: FastifyRequest,
  endpoint: E,
  work: (readForm: () => Promise<UploadedForm<E>>) => Promise<Result>,
): Promise<Result> {
  const contentType = request.headers["content-type"] ?? "";
  if (contentType === "") throw refuseField(endpoint.file!.field, "V-req");
  const form = await receiveForm(request, endpoint, config.dataDir);
  await using file = form.file;
  return await work(async () => {
    const body = Buffer.alloc(form.size);
    await file.read(body, 0, form.size, 0);
    const { file: content, fields } = await parseForm(body, contentType, endpoint);
    return { file: content, fields: parseFields(endpoint, fields) as FormOf<E> };
  });
}

/** Fields that the endpoint does not have are ignored. */
function parseFields({ form }: Endpoint, fields: Readonly<Record<string, string>>): unknown {
  if (!form) return {};
  const parsed = form.safeParse(fields, { reportInput: true });
  if (!parsed.success) throw refuseFields(toFieldProblems(parsed.error.issues));
  return parsed.data;
}

/** The whole form in an unnamed file of `folder`; close it afterwards. */
async function receiveForm(
  request: FastifyRequest,
  endpoint: Endpoint,
  folder: string,
): Promise<{ file: FileHandle; size: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A kill between `open` and `rm` leaves an empty file, which a job deletes by its name (server/features/host/jobs.ts).
  const path = join(folder, `upload.${randomUUID()}.tmp`);
  const file = await open(path, "wx+", 0o600);
  let size = 0;
  try {
    await rm(path);
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      // With what was received but not read yet.
      if (size + chunk.length + request.raw.readableLength > endpoint.maxBody) throw refuseTooLarge(endpoint);
      await file.write(chunk, 0, chunk.length, size);
      size += chunk.length;
    }
  } catch (error) {
    await file.close();
    throw error instanceof Refusal || isDiskError(error) ? error : refuseMalformedForm(endpoint);
  }
  return { file, size };
}

function parseForm(
  body: Buffer,
  contentType: string,
  endpoint: Endpoint,
): Promise<{ file: Buffer; fields: Record<string, string> }> {
  const { field, maxBytes } = endpoint.file!;
  return new Promise((resolve, reject) => {
    let failure: Refusal | undefined;
    const chunks: Buffer[] = [];
    const fields: Record<string, string> = {};
    let hasFile = false;
    const fail = (reason: Refusal) => void (failure ??= reason);
    try {
      const form = new Busboy({ headers: { "content-type": contentType }, limits: { ...limits, fileSize: maxBytes } });
      form.on("file", (name: string, stream: BusboyFileStream) => {
        if (name !== field) fail(refuseMalformedForm(endpoint));
        hasFile = true;
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("limit", () => fail(refuseField(field, "V-kb", { max: maxBytes / 1024 })));
        stream.on("error", () => fail(refuseMalformedForm(endpoint)));
      });
      form.on("field", (name: string, value: string) => {
        if (value !== "") fields[name] = value;
      });
      for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
        form.on(limit, () => fail(refuseMalformedForm(endpoint)));
      }
      form.on("error", () => reject(refuseMalformedForm(endpoint)));
      form.on("finish", () => {
        if (failure) reject(failure);
        else if (!hasFile) reject(refuseField(field, "V-req"));
        else resolve({ file: Buffer.concat(chunks), fields });
      });
      form.end(body);
    } catch {
      reject(refuseMalformedForm(endpoint));
    }
  });
}
