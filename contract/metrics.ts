import { endpoint } from "./endpoint.ts";

/** Returns the metrics in the text format of Prometheus; 404 if the operator has not set METRICS_TOKEN. */
export const getMetrics = endpoint("GET /metrics", {
  who: "everyone",
  perMinute: 60,
  media: "text/plain; version=0.0.4; charset=utf-8",
});
