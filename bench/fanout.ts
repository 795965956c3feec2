// Measures how fast a tap reaches all open pages: the time from sending the request until 50 % and
// 99 % of the subscribed sockets have received the event. The baseline (baseline-server.ts) books
// the beer in one SQLite transaction and sends the same bytes to each socket in a loop. Taps
// alternate between both servers. The goal: our time until 99 % of the sockets is at most 1.5 times
// that of the baseline.
import { startServerProcess } from "#test/process/server-process.ts";
import { startBaseline } from "./baseline.ts";
import type { FanoutLoad, FanoutResult } from "./load-sockets.ts";
import { median, printTable, runProgram } from "./measure.ts";

const socketCounts = [100, 1000, 5000];
const events = 40;

export async function measureFanout(): Promise<void> {
  const rows = [];
  for (const sockets of socketCounts) {
    const maxSockets = String(2 * sockets);
    const env = { WS_MAX_SOCKETS: maxSockets, WS_MAX_PER_USER: maxSockets, WS_MAX_PER_IP: maxSockets };
    await using server = await startServerProcess({ env });
    const [anna] = await server.createMembers("anna");
    using baseline = await startBaseline(server.dataDir);
    const headers = { host: anna!.host, cookie: anna!.cookieHeader, "x-xsrf-token": anna!.csrfToken };
    const load: FanoutLoad = {
      sockets,
      events,
      app: { port: server.port, headers },
      baseline: { port: baseline.port, headers: {} },
    };
    const { app, baseline: bare } = await runProgram<FanoutResult>("load-sockets.ts", load);
    rows.push({
      sockets: String(sockets),
      "app p50, ms": median(app.p50),
      "baseline p50, ms": median(bare.p50),
      "ratio p50": median(app.p50) / median(bare.p50),
      "app p99, ms": median(app.p99),
      "baseline p99, ms": median(bare.p99),
      "ratio p99": median(app.p99) / median(bare.p99),
    });
  }
  printTable("From a tap to every open page (medians of alternating taps)", rows);
}
