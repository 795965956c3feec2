import type { Feature } from "#server/platform/feature.ts";
import { addPresenceRoutes } from "./routes.ts";

export const feature = { routes: addPresenceRoutes } satisfies Feature;
