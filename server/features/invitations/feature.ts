import type { Feature } from "#server/platform/feature.ts";
import { invitationCommands } from "./commands.ts";
import { exportInvitations } from "./export.ts";
import { createFirstInvitation } from "./jobs.ts";
import { addInvitationRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addInvitationRoutes,
  tables,
  commands: invitationCommands,
  accountExport: exportInvitations,
  onListen: createFirstInvitation,
} satisfies Feature;
