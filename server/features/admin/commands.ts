import { type Permission, permissions } from "#contract/endpoint.ts";
import type { Db } from "#server/db/connect.ts";
import { hasLeft } from "#server/features/members/rules.ts";
import { findUserByUname } from "#server/features/members/store.ts";
import { type Command, type CommandContext, CommandRefusedError, readPermissions } from "#server/platform/command.ts";
import { changeDisabled, changePermissions, lookAtMembers, makeResetLink } from "./actions.ts";
import { describeRevoked } from "./rules.ts";

async function findMember(db: Db, uname: string) {
  const user = await findUserByUname(db, uname);
  if (!user || hasLeft(user)) throw new CommandRefusedError(`There is no member “${uname}”.`);
  return user;
}

async function permit(
  context: CommandContext,
  change: (held: readonly Permission[], named: readonly Permission[]) => Permission[],
) {
  const [uname, ...names] = context.words;
  const named = readPermissions(names);
  const user = await findMember(context.db, uname!);
  const changed = await changePermissions(context, user.id, null, (held) => change(held, named));
  return {
    json: { uname: user.uname, permissions: changed.permissions },
    text: `${user.uname}: ${changed.permissions.join(", ") || "no permissions"}${describeRevoked(changed.revoked)}`,
  };
}

async function disable(context: CommandContext, isDisabled: boolean) {
  const user = await findMember(context.db, context.words[0]!);
  const revoked = await changeDisabled(context, user.id, null, isDisabled);
  return {
    json: { uname: user.uname, disabled: isDisabled },
    text: `${user.uname}: ${isDisabled ? "disabled" : "enabled"}${describeRevoked(revoked)}`,
  };
}

const onlyUname = { usage: "UNAME", words: { min: 1, max: 1 } };
const unameAndPermissions = { usage: "UNAME PERMISSION…", words: { min: 2, max: 1 + permissions.length } };

export const adminCommands: readonly Command[] = [
  {
    name: "user list",
    usage: "",
    does: "lists the members",
    words: { min: 0, max: 0 },
    async run({ db, clock }) {
      const members = await lookAtMembers({ db, clock });
      return {
        json: members.map(({ id, uname, name, email, permissions: held, disabled, beers }) => ({
          ...{ id, uname, name, email },
          permissions: held,
          disabled,
          beers,
        })),
        text: members
          .map(({ uname, name, beers, disabled }) => `${uname}\t${name}\t${beers}${disabled ? "\tdisabled" : ""}`)
          .join("\n"),
      };
    },
  },
  {
    ...unameAndPermissions,
    name: "user grant",
    does: "gives permissions to a member",
    run: (context) =>
      permit(context, (held, named) => permissions.filter((one) => held.includes(one) || named.includes(one))),
  },
  {
    ...unameAndPermissions,
    name: "user revoke",
    does: "takes permissions from a member",
    run: (context) => permit(context, (held, named) => held.filter((one) => !named.includes(one))),
  },
  {
    ...onlyUname,
    name: "user disable",
    does: "locks a member out at once",
    run: (context) => disable(context, true),
  },
  {
    ...onlyUname,
    name: "user enable",
    does: "lets a member in again",
    run: (context) => disable(context, false),
  },
  {
    ...onlyUname,
    name: "user reset-link",
    does: "makes a link with which a member chooses a new password, without a mail",
    async run(context) {
      const user = await findMember(context.db, context.words[0]!);
      if (user.disabled_at !== null) throw new CommandRefusedError(`${user.uname} is disabled.`);
      const { url, expiresAt } = await makeResetLink(context, user.id, null);
      return { json: { url, expires_at: new Date(expiresAt).toISOString() }, text: url };
    },
  },
];
