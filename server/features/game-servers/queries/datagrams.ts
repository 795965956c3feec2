import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";

import type { Place } from "./said.ts";

const largestAnswer = 16_384;
const sendAgainAfterMs = 600;

/** Sends a question and returns the first answer that `accept` takes; again after a while, since datagrams get lost. */
export type AskByDatagram = (question: Buffer, accept: (answer: Buffer) => boolean) => Promise<Buffer>;

/** Talks to one place and hears nobody else. */
export async function withDatagrams<Result>(
  { host, port }: Place,
  signal: AbortSignal,
  talk: (ask: AskByDatagram) => Promise<Result>,
): Promise<Result> {
  const socket = createSocket({ type: isIPv6(host) ? "udp6" : "udp4", signal });
  let again: NodeJS.Timeout | undefined;
  // Refused and unreachable: nobody listens there.
  const failed = new Promise<never>((_, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("closed")));
  });
  failed.catch(() => {});

  function ask(question: Buffer, accept: (answer: Buffer) => boolean): Promise<Buffer> {
    clearInterval(again);
    again = setInterval(() => socket.send(question), sendAgainAfterMs);
    return new Promise((resolve) => {
      socket.removeAllListeners("message");
      socket.on("message", (answer) => {
        if (answer.length <= largestAnswer && accept(answer)) resolve(answer);
      });
      socket.send(question);
    });
  }

  try {
    await Promise.race([failed, new Promise<void>((resolve) => socket.connect(port, host, () => resolve()))]);
    return await Promise.race([failed, talk(ask)]);
  } finally {
    clearInterval(again);
    if (!signal.aborted) socket.close();
  }
}

/** Four bytes of 0xff begin every datagram of both protocols. */
export const datagramMark = Buffer.from([0xff, 0xff, 0xff, 0xff]);
