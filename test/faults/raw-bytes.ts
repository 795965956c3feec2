import { connect } from "node:net";

/** The received bytes, and the milliseconds until the connection ended. */
export interface RawAnswer {
  readonly bytes: string;
  readonly ms: number;
}

/** Sends bytes unchanged, closes our side of the connection, and reads until the other side closes. */
export function sendBytes(port: number, bytes: Buffer): Promise<RawAnswer> {
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve({ bytes: received, ms: performance.now() - began }));
    socket.end(bytes);
  });
}

const hostileStrings = [
  "\0",
  "\r\n",
  "\r\n\r\n",
  "%00",
  "../",
  "..%2f",
  "{",
  "}",
  '"',
  "99999999999999999999",
  "-1",
  "\u{FF}",
  "ß🍺",
  "__proto__",
];

/**
 * Damages bytes in one to four places: replaces, deletes or repeats a piece, or inserts hostile
 * bytes.
 */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  let damaged = bytes;
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    const at = Math.floor(random() * damaged.length);
    const until = Math.min(damaged.length, at + 1 + Math.floor(random() * 20));
    const piece = damaged.subarray(at, until);
    const nasty = Buffer.from(hostileStrings[Math.floor(random() * hostileStrings.length)]!);
    const replacements = [
      Buffer.from([Math.floor(random() * 256)]),
      Buffer.alloc(0),
      Buffer.concat([piece, piece]),
      nasty,
      Buffer.concat(Array.from({ length: 50 }, () => piece)),
    ];
    const replacement = replacements[Math.floor(random() * replacements.length)]!;
    damaged = Buffer.concat([damaged.subarray(0, at), replacement, damaged.subarray(until)]);
  }
  return damaged;
}
