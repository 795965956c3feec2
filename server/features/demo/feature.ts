import type { Feature } from "#server/platform/feature.ts";
import { demoCommands } from "./commands.ts";

export const feature = { commands: demoCommands } satisfies Feature;
