import { findUserByUname } from "#server/features/members/store.ts";
import { type Command, CommandRefusedError } from "#server/platform/command.ts";
import { createResetLink } from "./actions.ts";
import { linkLifetime } from "./rules.ts";

export const passwordResetCommands: readonly Command[] = [
  {
    name: "user reset-link",
    usage: "UNAME",
    does: "makes a link with which a member chooses a new password, without a mail",
    words: { min: 1, max: 1 },
    async run({ db, config, clock, words: [uname] }) {
      const user = await findUserByUname(db, uname!);
      if (!user) throw new CommandRefusedError(`There is no member “${uname}”.`);
      if (user.disabled_at !== null) throw new CommandRefusedError(`${user.uname} is disabled.`);
      const { url, expiresAt } = await createResetLink(db, config, user.id, clock.now() + linkLifetime.handed);
      return { json: { url, expires_at: new Date(expiresAt).toISOString() }, text: url };
    },
  },
];
