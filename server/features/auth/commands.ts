import { inTransaction } from "#server/db/connect.ts";
import { findUserByUname, setDisabled } from "#server/features/members/store.ts";
import { type Command, type CommandContext, CommandRefusedError } from "#server/platform/command.ts";
import { deleteSessions } from "./store.ts";

/** Whoever is locked out loses all sessions; being let in again brings none of them back. */
async function changeDisabled({ db, clock, words: [uname] }: CommandContext, isDisabled: boolean) {
  const user = await findUserByUname(db, uname!);
  if (!user) throw new CommandRefusedError(`There is no member “${uname}”.`);
  await inTransaction(db, async (tx) => {
    await setDisabled(tx, user.id, isDisabled ? clock.now() : null);
    if (isDisabled) await deleteSessions(tx, user.id, null);
  });
  return {
    json: { uname: user.uname, disabled: isDisabled },
    text: `${user.uname}: ${isDisabled ? "disabled" : "enabled"}`,
  };
}

const onlyUname = { usage: "UNAME", words: { min: 1, max: 1 } };

export const authCommands: readonly Command[] = [
  {
    ...onlyUname,
    name: "user disable",
    does: "locks a member out at once",
    run: (context) => changeDisabled(context, true),
  },
  {
    ...onlyUname,
    name: "user enable",
    does: "lets a member in again",
    run: (context) => changeDisabled(context, false),
  },
];
