import { type Permission, permissions } from "#contract/endpoint.ts";
import type { Db } from "#server/db/connect.ts";
import { type Command, type CommandContext, CommandRefusedError, readPermissions } from "#server/platform/command.ts";
import { findUserByUname, listUsers, setPermissions } from "./store.ts";

async function findMember(db: Db, uname: string) {
  const user = await findUserByUname(db, uname);
  if (!user) throw new CommandRefusedError(`There is no member “${uname}”.`);
  return user;
}

async function changePermissions(
  { db, words: [uname, ...names] }: CommandContext,
  change: (held: readonly Permission[], named: readonly Permission[]) => Permission[],
) {
  const named = readPermissions(names);
  const user = await findMember(db, uname!);
  const changed = change(JSON.parse(user.permissions) as Permission[], named);
  await setPermissions(db, user.id, changed);
  return {
    json: { uname: user.uname, permissions: changed },
    text: `${user.uname}: ${changed.join(", ") || "no permissions"}`,
  };
}

const unameAndPermissions = { usage: "UNAME PERMISSION…", words: { min: 2, max: 2 + permissions.length } };

export const memberCommands: readonly Command[] = [
  {
    name: "user list",
    usage: "",
    does: "lists the members",
    words: { min: 0, max: 0 },
    async run({ db }) {
      const users = await listUsers(db);
      const lines = users.map(
        ({ uname, name, beers, disabled }) => `${uname}\t${name}\t${beers}${disabled ? "\tdisabled" : ""}`,
      );
      return { json: users, text: lines.join("\n") };
    },
  },
  {
    ...unameAndPermissions,
    name: "user grant",
    does: "gives permissions to a member",
    run: (context) =>
      changePermissions(context, (held, named) =>
        permissions.filter((one) => held.includes(one) || named.includes(one)),
      ),
  },
  {
    ...unameAndPermissions,
    name: "user revoke",
    does: "takes permissions from a member",
    run: (context) => changePermissions(context, (held, named) => held.filter((one) => !named.includes(one))),
  },
];
