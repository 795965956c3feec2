import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";

import type { Address } from "./query-result.ts";

const maxAnswerBytes = 16_384;
const resendEveryMs = 600;

/** Sends a question and returns the first answer that `accept` takes; again after a while, since datagrams get lost. */
export type SendQuery = (question: Buffer, accept: (answer: Buffer) => boolean) => Promise<Buffer>;

/** Talks to one place and hears nobody else. */
export async function withUdpSocket<Result>(
  { host, port }: Address,
  signal: AbortSignal,
  talk: (ask: SendQuery) => Promise<Result>,
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
    again = setInterval(() => socket.send(question), resendEveryMs);
    return new Promise((resolve) => {
      socket.removeAllListeners("message");
      socket.on("message", (answer) => {
        if (answer.length <= maxAnswerBytes && accept(answer)) resolve(answer);
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
export const packetHeader = Buffer.from([0xff, 0xff, 0xff, 0xff]);
