import { feature } from "#server/platform/feature.ts";
import { addRoutes } from "./routes.ts";

export const memberPage = feature({ name: "member-page", routes: [addRoutes] });
