import { connect } from "node:net";

import type { GameAddress } from "#contract/game-servers.ts";
import type { QueryResult } from "./query-result.ts";

const maxAnswerBytes = 262_144;

/** Server list ping (Java Edition, since 1.7). */
export async function queryMinecraft(address: GameAddress, signal: AbortSignal): Promise<QueryResult> {
  const { players } = JSON.parse(await readStatus(address, signal)) as {
    players?: { online?: unknown; max?: unknown; sample?: unknown };
  };
  const sample = Array.isArray(players?.sample) ? players.sample : [];
  return {
    online: players?.online,
    max: players?.max,
    names: sample.map((one: unknown) => (one as { name?: unknown } | null)?.name),
  };
}

async function readStatus({ host, port }: GameAddress, signal: AbortSignal): Promise<string> {
  const socket = connect({ host, port });
  const abort = (): void => void socket.destroy(new Error("no answer in time"));
  signal.addEventListener("abort", abort, { once: true });
  try {
    socket.write(Buffer.concat([handshake(host, port), frame(Buffer.from([0x00]))]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      if (received.length > maxAnswerBytes) throw new RangeError("too long");
      const status = parseFrame(received);
      if (status !== null) return status;
    }
    throw new Error("closed");
  } finally {
    signal.removeEventListener("abort", abort);
    socket.destroy();
  }
}

/** Packet 0: protocol version (-1 for any), host, port, and 1, which announces a status request. */
function handshake(host: string, port: number): Buffer {
  const name = Buffer.from(host);
  const tail = Buffer.from([port >> 8, port & 0xff, 0x01]);
  return frame(Buffer.concat([Buffer.from([0x00, 0xff, 0xff, 0xff, 0xff, 0x0f]), toVarint(name.length), name, tail]));
}

function frame(body: Buffer): Buffer {
  return Buffer.concat([toVarint(body.length), body]);
}

/** Returns `null` while the packet is incomplete. */
function parseFrame(bytes: Buffer): string | null {
  const length = parseVarint(bytes, 0);
  const kind = length && parseVarint(bytes, length.next);
  const size = kind && parseVarint(bytes, kind.next);
  if (!size || bytes.length < size.next + size.value) return null;
  return bytes.toString("utf8", size.next, size.next + size.value);
}

function toVarint(number: number): Buffer {
  const bytes: number[] = [];
  let rest = number;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Returns `null` while the number is incomplete. */
function parseVarint(bytes: Buffer, from: number): { value: number; next: number } | null {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[from + index];
    if (byte === undefined) return null;
    value |= (byte & 0x7f) << (7 * index);
    if ((byte & 0x80) === 0) return { value: value >>> 0, next: from + index + 1 };
  }
  throw new RangeError("not a number");
}
