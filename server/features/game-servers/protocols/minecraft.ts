import { connect } from "node:net";

import type { Address, QueryResult } from "./query-result.ts";

const maxAnswerBytes = 262_144;

/** Minecraft's server list ping (Java Edition, since 1.7). */
export async function queryMinecraft(place: Address, signal: AbortSignal): Promise<QueryResult> {
  const { players } = JSON.parse(await readStatus(place, signal)) as {
    players?: { online?: unknown; max?: unknown; sample?: unknown };
  };
  const sample = Array.isArray(players?.sample) ? players.sample : [];
  return {
    online: players?.online,
    max: players?.max,
    names: sample.map((one: unknown) => (one as { name?: unknown } | null)?.name),
  };
}

function readStatus({ host, port }: Address, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const give = (): void => void socket.destroy(new Error("no answer in time"));
    signal.addEventListener("abort", give, { once: true });
    let heard = Buffer.alloc(0);
    socket.on("connect", () => socket.write(Buffer.concat([handshake(host, port), frame(Buffer.from([0x00]))])));
    socket.on("data", (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      if (heard.length > maxAnswerBytes) return void socket.destroy(new Error("too long"));
      const status = readFrame(heard);
      if (status === null) return;
      resolve(status);
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      signal.removeEventListener("abort", give);
      reject(new Error("closed"));
    });
  });
}

/** Packet 0: protocol (-1: any), host, port, and that we want the status. */
function handshake(host: string, port: number): Buffer {
  const name = Buffer.from(host);
  const tail = Buffer.from([port >> 8, port & 0xff, 0x01]);
  return frame(Buffer.concat([Buffer.from([0x00, 0xff, 0xff, 0xff, 0xff, 0x0f]), varint(name.length), name, tail]));
}

function frame(body: Buffer): Buffer {
  return Buffer.concat([varint(body.length), body]);
}

/** The JSON text of the status packet; null while it is not complete. */
function readFrame(heard: Buffer): string | null {
  const length = readVarint(heard, 0);
  const kind = length && readVarint(heard, length.next);
  const size = kind && readVarint(heard, kind.next);
  if (!size || heard.length < size.next + size.value) return null;
  return heard.toString("utf8", size.next, size.next + size.value);
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  let rest = number;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}

function readVarint(bytes: Buffer, from: number): { value: number; next: number } | null {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[from + index];
    if (byte === undefined) return null;
    value |= (byte & 0x7f) << (7 * index);
    if ((byte & 0x80) === 0) return { value: value >>> 0, next: from + index + 1 };
  }
  throw new RangeError("not a number");
}
