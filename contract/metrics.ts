import { endpoint } from "./endpoint.ts";

/** Returns the metrics in the text format of Prometheus. Needs the operator's METRICS_TOKEN, and does not exist without one. */
export const getMetrics = endpoint("GET /metrics", {
  who: "everyone",
  perMinute: 60,
  media: "text/plain; version=0.0.4; charset=utf-8",
});
