import type { Feature } from "#server/platform/feature.ts";
import { hostCommands } from "./commands.ts";

export const feature = {
  commands: hostCommands,
} satisfies Feature;
