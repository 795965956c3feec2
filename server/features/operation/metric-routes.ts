import { getMetrics } from "#contract/metrics.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { isBearerToken } from "./metric-rules.ts";

/** Loads and records metrics only with METRICS_TOKEN. */
export function addMetricRoutes(context: Context): void {
  const { http, config } = context;
  const { metricsToken } = config;
  const metrics = metricsToken === null ? null : loadMetrics(context);
  if (metrics)
    http.fastify.addHook("onResponse", async ({ method, routeOptions: { url } }, { statusCode, elapsedTime }) => {
      // Built files count as one route, because their names change with every version.
      const route = url !== undefined && http.files.has(url) ? "(file)" : (url ?? "unknown");
      (await metrics).recordRequest(method, route, statusCode, elapsedTime);
    });

  handle(http, getMetrics, async ({ request, reply }) => {
    if (metricsToken === null || !metrics) throw refuse("notFound");
    if (!isBearerToken(request.headers.authorization, metricsToken)) {
      reply.header("www-authenticate", "Bearer");
      throw refuse("notLoggedIn");
    }
    return Buffer.from(await (await metrics).print());
  });
}

async function loadMetrics(context: Context) {
  const { createMetrics } = await import("./metric-actions.ts");
  return createMetrics(context);
}
