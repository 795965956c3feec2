import { createSocket } from "node:dgram";
import { isIPv6 } from "node:net";

import type { GameAddress } from "#contract/game-servers.ts";
import { every } from "#server/time.ts";

const maxAnswerBytes = 16_384;
const resendEveryMs = 600;

/** Resends the query, since datagrams get lost. Resolves to the first answer that `accept` approves. */
export type SendQuery = (query: Buffer, accept: (answer: Buffer) => boolean) => Promise<Buffer>;

export async function withUdpSocket<Result>(
  { host, port }: GameAddress,
  signal: AbortSignal,
  exchange: (send: SendQuery) => Promise<Result>,
): Promise<Result> {
  const socket = createSocket({ type: isIPv6(host) ? "udp6" : "udp4", signal });
  let stopResending = (): void => {};
  // `error` means an unreachable address, `close` that the time is over.
  const failed = new Promise<never>((_, reject) => {
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("closed")));
  });
  failed.catch(() => {});

  function send(query: Buffer, accept: (answer: Buffer) => boolean): Promise<Buffer> {
    stopResending();
    return new Promise((resolve) => {
      socket.removeAllListeners("message");
      socket.on("message", (answer) => {
        if (answer.length <= maxAnswerBytes && accept(answer)) resolve(answer);
      });
      // Sends before starting the timer, because `send` throws if the socket is closed.
      socket.send(query);
      stopResending = every(
        resendEveryMs,
        () => socket.send(query),
        () => {},
      );
    });
  }

  try {
    await Promise.race([failed, new Promise<void>((resolve) => socket.connect(port, host, () => resolve()))]);
    return await Promise.race([failed, exchange(send)]);
  } finally {
    stopResending();
    if (!signal.aborted) socket.close();
  }
}

/** First bytes of every datagram of the Source and the Quake 3 protocol. */
export const packetHeader = Buffer.from([0xff, 0xff, 0xff, 0xff]);
