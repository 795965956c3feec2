import { invitationDays, invitationUses } from "#contract/admin-invitations.ts";
import { type Command, readNumber, readPermissions } from "#server/platform/command.ts";
import { createInvitation } from "./actions.ts";

export const invitationCommands: readonly Command[] = [
  {
    name: "invite create",
    usage: "[--permission NAME]… [--days N] [--uses N]",
    does: "makes an invitation link",
    words: { min: 0, max: 0 },
    options: { permission: { type: "string", multiple: true }, days: { type: "string" }, uses: { type: "string" } },
    async run({ db, config, clock, options }) {
      const { token, url, expiresAt } = await createInvitation(
        { db, config, clock },
        {
          permissions: readPermissions((options["permission"] as string[] | undefined) ?? []),
          days: readNumber("days", options["days"], invitationDays),
          uses: readNumber("uses", options["uses"], invitationUses),
          createdBy: null,
        },
      );
      return { json: { token, url, expires_at: new Date(expiresAt).toISOString() }, text: url };
    },
  },
];
