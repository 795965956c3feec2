// Simulates the clients of HTTP measurements, in a separate process. Each keep-alive connection
// sends its next request after the previous answer. Takes a `Load` as JSON argument and prints a
// `LoadResult` as JSON.
import { connect } from "node:net";

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Request line and headers, without the blank line that ends them. `$KEY` is replaced by a new
   * idempotency key in every request.
   */
  readonly head: string;
}

export interface LoadResult {
  /** Number of answers with status 200. */
  readonly answered: number;
  readonly failed: number;
  readonly perSecond: number;
  /** `p50`, `p99`: median and 99th percentile of the milliseconds from request to answer. */
  readonly p50: number;
  readonly p99: number;
}

const load = JSON.parse(process.argv[2] ?? "") as Load;
const times: number[] = [];
let failed = 0;
let keys = 0;
const began = performance.now();
const until = began + load.seconds * 1000;
await Promise.all(Array.from({ length: load.connections }, sendRequests));
const seconds = (performance.now() - began) / 1000;
times.sort((one, other) => one - other);
const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
const result: LoadResult = {
  answered: times.length,
  failed,
  perSecond: times.length / seconds,
  p50: at(0.5),
  p99: at(0.99),
};
process.stdout.write(JSON.stringify(result));

function sendRequests(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: load.port, host: "127.0.0.1", noDelay: true });
    let received = "";
    let sent = 0;
    function ask(): void {
      sent = performance.now();
      if (sent >= until) {
        socket.end();
        resolve();
        return;
      }
      socket.write(`${load.head.replace("$KEY", `bench-${process.pid}-${keys++}`)}\r\n\r\n`);
    }
    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      const headers = received.indexOf("\r\n\r\n");
      if (headers < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (received.length < headers + 4 + length) return;
      if (received.startsWith("HTTP/1.1 200")) times.push(performance.now() - sent);
      else failed += 1;
      received = "";
      ask();
    });
  });
}
