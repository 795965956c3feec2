import type { Feature } from "#server/platform/feature.ts";
import { addAccountRoutes } from "./routes.ts";

export const feature = { routes: addAccountRoutes } satisfies Feature;
