import { invitationDays, invitationUses } from "#contract/invitations.ts";
import { type Command, parseNumberOption, parsePermissions } from "#server/platform/command.ts";
import { formatLink } from "#server/platform/local-links.ts";
import { toIso } from "#server/time.ts";
import { createInvitation } from "./actions.ts";

export const commands: readonly Command[] = [
  {
    name: "invite create",
    usage: "[--permission NAME]… [--days N] [--uses N]",
    description: "creates an invitation link",
    options: { permission: { type: "string", multiple: true }, days: { type: "string" }, uses: { type: "string" } },
    async run(context) {
      const { config, options } = context;
      const { token, url, expiresAt } = await createInvitation(context, {
        permissions: parsePermissions((options["permission"] as string[] | undefined) ?? []),
        days: parseNumberOption("days", options["days"], invitationDays),
        uses: parseNumberOption("uses", options["uses"], invitationUses),
        createdBy: null,
      });
      return { json: { token, url, expires_at: toIso(expiresAt) }, text: formatLink(config, url) };
    },
  },
];
