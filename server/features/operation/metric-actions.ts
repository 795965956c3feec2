import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

import * as beerStore from "#server/features/beers/store.ts";
import type { Context } from "#server/platform/context.ts";
import { outageFields } from "#server/platform/log.ts";
import * as outboxStore from "#server/platform/outbox/store.ts";
import { version } from "#server/version.ts";
import * as metricStore from "./metric-store.ts";

/** Upper bounds in seconds, from a cached reply to a wait that members notice. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Labels are route patterns, methods and statuses, so that the number of time series is limited. */
export function createMetrics({ db, log, outbox, realtime }: Pick<Context, "db" | "log" | "outbox" | "realtime">) {
  const all = new Registry();
  const registers = [all];
  collectDefaultMetrics({ register: all });
  const requests = new Counter({
    name: "stammtisch_http_requests_total",
    help: "Answered requests by method, route pattern and status.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "stammtisch_http_request_duration_seconds",
    help: "Time from a request to its answer by method and route pattern.",
    labelNames: ["method", "route"],
    buckets,
    registers,
  });

  /** Calls `read` at each scrape. */
  function addGauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge = new Gauge({ name, help, registers: [], collect });
    all.registerMetric(gauge);

    async function collect(): Promise<void> {
      try {
        gauge.set(await read());
      } catch (error) {
        // Omits only this metric: the others are needed most while the database is unreachable.
        gauge.remove();
        log.warn("metric-missing", { metric: name, ...outageFields(error) });
      }
    }
  }

  function addCounter(name: string, help: string, read: () => number): void {
    const counter = new Counter({ name, help, registers: [], collect });
    all.registerMetric(counter);

    function collect(): void {
      counter.reset();
      counter.inc(read());
    }
  }

  new Gauge({ name: "stammtisch_build_info", help: "Always 1; names the version.", labelNames: ["version"], registers })
    .labels({ version })
    .set(1);
  if (realtime.countSockets() !== null)
    addGauge("stammtisch_websockets", "Open WebSockets of this instance.", () => realtime.countSockets() ?? 0);
  addGauge("stammtisch_pushes_waiting", "Unsent pushes of all instances.", () => outboxStore.countWaiting(db, "push"));
  addCounter("stammtisch_pushes_failed_total", "Failed attempts of this instance to send a push.", () =>
    outbox.failures("push"),
  );
  addGauge("stammtisch_mails_waiting", "Unsent mails of all instances.", () => outboxStore.countWaiting(db, "mail"));
  addCounter("stammtisch_mails_failed_total", "Failed attempts of this instance to send a mail.", () =>
    outbox.failures("mail"),
  );
  addGauge("stammtisch_beers", "Booked beers of all members.", async () => (await beerStore.findGroupTotal(db)).total);
  addGauge("stammtisch_members", "Members who are not disabled.", () => metricStore.countActiveMembers(db));

  return {
    /** Returns the text format of Prometheus. */
    print: async () => all.metrics(),
    recordRequest(method: string, route: string, status: number, durationMs: number): void {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, durationMs / 1000);
    },
  };
}
