import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

import sharp from "sharp";
import { expect, test } from "vitest";

import { WorkerError } from "#server/platform/workers/worker-process.ts";
import { seconds } from "#server/time.ts";
import { createJpegOfScans } from "#test/jpeg-scans.ts";
import { listWorkers } from "#test/workers.ts";
import { reencodePicture, runPictureJob, shrinkPicture } from "./picture.ts";

const gray = (width: number, height = width) => sharp({ create: { width, height, channels: 3, background: "#777" } });

test("a JPEG with 100 scans (layers of detail) can be shrunk, and one with 101 is refused", async () => {
  expect(await shrinkPicture(await createJpegOfScans(8, 100), [8])).toHaveLength(1);
  expect(await shrinkPicture(await createJpegOfScans(8, 101), [8])).toBe("broken");
});

test.each([0x00, 0x01, 0xd0, 0xd7, 0xd8])(
  "a JPEG that hides too many scans behind the marker %i is refused",
  async (marker) => {
    const file = await createJpegOfScans(8, 101);
    const scan = file.indexOf(Buffer.from([0xff, 0xda]));
    const hidden = Buffer.concat([file.subarray(0, scan), Buffer.from([0xff, marker, 0, 2]), file.subarray(scan)]);
    expect(await shrinkPicture(hidden, [8])).toBe("broken");
  },
);

test("a photo of 75 MB of pixels is refused if the decoder must hold it in memory as a whole, as for progressive JPEG", async () => {
  expect(await shrinkPicture(await gray(5000).jpeg({ progressive: true }).toBuffer(), [20])).toBe("dimensions");
  expect(await shrinkPicture(await gray(5000).jpeg().toBuffer(), [20])).toHaveLength(1);
});

test("a photo with a film of 10 MB that a camera appended can be shrunk", async () => {
  const photo = Buffer.concat([await gray(40).jpeg().toBuffer(), randomBytes(10_000_000)]);
  expect(await shrinkPicture(photo, [20])).toHaveLength(1);
});

test("a photo with data appended by a camera can be shrunk, but is refused as a profile picture", async () => {
  const photo = Buffer.concat([await gray(40).jpeg().toBuffer(), Buffer.from("a film")]);
  const [small] = (await shrinkPicture(photo, [20])) as Buffer[];
  expect(await sharp(small).metadata()).toMatchObject({ format: "webp", width: 20, height: 20 });
  expect(await reencodePicture(async () => photo, 40)).toBe("type");
});

const workers = () => listWorkers(process.pid, "picture-worker.ts");
const signalAll = (name: NodeJS.Signals) => workers().forEach((worker) => process.kill(worker, name));

/** Returns a function that lets a worker process encode a picture. */
async function prepareJob(limitMs: number = seconds(10)) {
  const bytes = await gray(40).png().toBuffer();
  return () => runPictureJob({ bytes, side: 40 }, limitMs);
}

test("the worker process that encoded a picture is reused for the next picture", async () => {
  const decode = await prepareJob();
  await decode();
  const before = workers();
  await decode();
  expect(workers()).toEqual(before);
});

test("the worker process that encodes pictures gets none of the server's environment variables", async () => {
  const decode = await prepareJob();
  await decode();
  const names = workers().flatMap((worker) => readFileSync(`/proc/${worker}/environ`, "utf8").match(/\w+(?==)/g));
  expect(names).toContain("NODE_CHANNEL_FD");
  expect(names.filter((name) => !/^NODE_(CHANNEL|COMPILE_CACHE)/.test(name!))).toEqual([]);
});

test("a worker process that encodes a picture for too long is killed", async () => {
  const decodeFirst = await prepareJob();
  await decodeFirst();
  const decode = await prepareJob(100);
  const stopped = workers();
  signalAll("SIGSTOP");
  expect(await decode()).toBe("broken");
  await expect.poll(() => stopped.filter((worker) => workers().includes(worker))).toHaveLength(stopped.length - 1);
  signalAll("SIGCONT");
});

test("encoding a picture fails if the worker process is killed, and the next picture gets another process", async () => {
  const decode = await prepareJob();
  const running = decode();
  signalAll("SIGKILL");
  await expect(running).rejects.toThrow(WorkerError);
  expect(await decode()).toHaveLength(1);
});

test("a picture worker process ignores SIGINT, which Ctrl-C sends to all processes", async () => {
  const decode = await prepareJob();
  await decode();
  const running = decode();
  signalAll("SIGINT");
  expect(await running).toHaveLength(1);
});
