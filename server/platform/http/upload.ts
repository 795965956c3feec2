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

/** Empty fields are omitted. */
export interface UploadedForm<E extends Endpoint> {
  /** Deleted after the response or a disconnect. */
  readonly path: string;
  readonly read: () => Promise<Buffer>;
  readonly fields: FormOf<E>;
}

/**
 * `work` reads the form with `readForm` when it needs it. Until then the file is only on the disk; it is deleted after
 * the response. The server's request timeout ends stalled uploads.
 */
export type ReceiveUpload<E extends Endpoint> = <Result>(
  work: (readForm: () => Promise<UploadedForm<E>>) => Promise<Result>,
) => Promise<Result>;

/** Named so that operators keep no files of their own in it. */
export function uploadsFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, ".stammtisch-uploads");
}

/** @fastify/multipart names saved files: 16 hex digits and the extension of the upload. */
const uploadName = /^[\da-f]{16}(\.[A-Za-z\d]{1,16})?$/;

/** Also deletes uploads that a killed process has left. */
export async function addUploads(app: FastifyInstance, config: Config): Promise<void> {
  const folder = uploadsFolder(config);
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const left = entries.filter((entry) => entry.isFile() && uploadName.test(entry.name));
    for (const { name } of left) await rm(join(folder, name), { force: true });
  } catch (error) {
    // The first upload creates a missing folder. An unwritable one must fail only uploads, not the start.
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

/** Ignores unknown fields. */
function parseFields({ form }: Endpoint, fields: Readonly<Record<string, unknown>>): unknown {
  if (!form) return {};
  const parsed = form.safeParse(fields, { reportInput: true });
  if (!parsed.success) throw refuseFields(toFieldProblems(parsed.error.issues));
  return parsed.data;
}

/** The open file remains readable even if a disconnect deletes it. */
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

/** For a body without Content-Length: the `limits` of the multipart parser apply only to each part of the form. */
function limitBody({ raw }: FastifyRequest, endpoint: Endpoint): void {
  let size = 0;
  raw.on("data", function count(chunk: Buffer) {
    size += chunk.length;
    if (size <= endpoint.maxBody) return;
    raw.off("data", count);
    raw.emit("error", refuseTooLarge(endpoint));
  });
}

/** Takes the last value of each field; omits empty ones. */
function toFields(values: MultipartFields): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, parts] of Object.entries(values)) {
    const part = [parts].flat().at(-1);
    if (part?.type === "field" && part.value !== "") fields[name] = part.value;
  }
  return fields;
}
