import { type FileHandle, mkdir, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import fastifyMultipart, { type MultipartFields } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Endpoint, FormOf } from "#contract/endpoint.ts";
import { toFieldProblems } from "#contract/errors.ts";
import type { Config } from "#server/config.ts";
import { refuseMalformedForm, refuseTooLarge, tooLargeProblem } from "./body.ts";
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

/** The parsed multipart form of an upload; empty fields are omitted. */
export interface UploadedForm<E extends Endpoint> {
  /** Path of the file, which is deleted after the response or a disconnect. */
  readonly path: string;
  readonly read: () => Promise<Buffer>;
  readonly fields: FormOf<E>;
}

/**
 * Receives the multipart form of a request, and runs `work`, which reads the form with `readForm`
 * when it needs the form. Until then the file is only on the disk; it is deleted after the
 * response. The server's request timeout ends stalled uploads.
 */
export type ReceiveUpload<E extends Endpoint> = <Result>(
  work: (readForm: () => Promise<UploadedForm<E>>) => Promise<Result>,
) => Promise<Result>;

/** Returns the folder of unfinished uploads, named so that operators keep no files of their own in it. */
export function uploadsFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, ".stammtisch-uploads");
}

/** Names that @fastify/multipart gives to saved files: 16 hex digits and the extension of the upload. */
const uploadName = /^[\da-f]{16}(\.[A-Za-z\d]{1,16})?$/;

/** Registers the parser of multipart forms, and deletes uploads that a killed process has left. */
export async function addUploads(app: FastifyInstance, config: Config): Promise<void> {
  const folder = uploadsFolder(config);
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const left = entries.filter((entry) => entry.isFile() && uploadName.test(entry.name));
    for (const { name } of left) await rm(join(folder, name), { force: true });
  } catch (error) {
    // A missing folder is created by the first upload. An unwritable one must fail only uploads, not the start.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" && !isDiskError(error)) throw error;
  }
  await app.register(fastifyMultipart);
}

export function createUploadReceiver<E extends Endpoint>(
  config: Config,
  request: FastifyRequest,
  endpoint: E,
): ReceiveUpload<E> {
  return async (work) => {
    if (!request.isMultipart()) throw refuseField(endpoint.file!.field, "required");
    const form = await receiveForm(request, endpoint, uploadsFolder(config));
    await using file = form.file;
    return await work(async () => ({
      path: form.path,
      read: () => file.readFile(),
      fields: parseFields(endpoint, form.fields) as FormOf<E>,
    }));
  };
}

/** Validates the text fields of an upload form; ignores unknown fields. */
function parseFields({ form }: Endpoint, fields: Readonly<Record<string, unknown>>): unknown {
  if (!form) return {};
  const parsed = form.safeParse(fields, { reportInput: true });
  if (!parsed.success) throw refuseFields(toFieldProblems(parsed.error.issues));
  return parsed.data;
}

/**
 * Saves the uploaded file on disk and opens it. The open handle remains readable even if a
 * disconnect deletes the file.
 */
async function receiveForm(
  request: FastifyRequest,
  endpoint: Endpoint,
  folder: string,
): Promise<{ file: FileHandle; path: string; fields: Record<string, unknown> }> {
  const { field, maxBytes } = endpoint.file!;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    limitBody(request, endpoint);
    const form = await request.saveRequestFiles({ tmpdir: folder, limits: { ...limits, fileSize: maxBytes } });
    const [saved] = form.files;
    if (saved === undefined) throw refuseField(field, "required");
    if (saved.fieldname !== field) throw refuseMalformedForm(endpoint);
    const path = saved.filepath;
    return { file: await open(path), path, fields: toFields(form.values as MultipartFields) };
  } catch (error) {
    if (error instanceof Refusal || isDiskError(error)) throw error;
    if ((error as { code?: string }).code === "FST_REQ_FILE_TOO_LARGE")
      throw refuseFields({ [field]: [tooLargeProblem(endpoint.file!)] });
    throw refuseMalformedForm(endpoint);
  }
}

/**
 * Refuses a body without Content-Length once it is too large. The `limits` of the multipart parser
 * apply only to each part of the form.
 */
function limitBody({ raw }: FastifyRequest, endpoint: Endpoint): void {
  let size = 0;
  raw.on("data", function count(chunk: Buffer) {
    size += chunk.length;
    if (size <= endpoint.maxBody) return;
    raw.off("data", count);
    raw.emit("error", refuseTooLarge(endpoint));
  });
}

/** Returns the last value of each field; omits fields with an empty value. */
function toFields(values: MultipartFields): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, parts] of Object.entries(values)) {
    const part = [parts].flat().at(-1);
    if (part?.type === "field" && part.value !== "") fields[name] = part.value;
  }
  return fields;
}
