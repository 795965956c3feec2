import { type Permission, permissions } from "#contract/endpoint.ts";
import { invitationDays, invitationUses } from "#contract/invitations.ts";
import type { Db } from "#server/db/connect.ts";
import { isDeletedAccount } from "#server/features/members/rules.ts";
import * as memberStore from "#server/features/members/store.ts";
import {
  type Command,
  type CommandContext,
  CommandRefusedError,
  parseNumberOption,
  parsePermissions,
} from "#server/platform/command.ts";
import { formatLink } from "#server/platform/local-links.ts";
import { toIso } from "#server/time.ts";
import { createInvitation } from "./invitation-actions.ts";
import { changeDisabled, changePermissions, listManagedMembers, createAdminResetLink } from "./management-actions.ts";
import { formatRevokedLinks } from "./management-rules.ts";

async function findMemberByUname(db: Db, uname: string) {
  const user = await memberStore.findUserByUname(db, uname);
  if (!user || isDeletedAccount(user)) throw new CommandRefusedError(`There is no member “${uname}”.`);
  return user;
}

async function runPermissionChange(
  context: CommandContext,
  change: (held: readonly Permission[], named: readonly Permission[]) => Permission[],
) {
  const [uname, ...names] = context.args;
  const named = parsePermissions(names);
  const user = await findMemberByUname(context.db, uname!);
  const changed = await changePermissions(context, user.id, null, (held) => change(held, named));
  return {
    json: { uname: user.uname, permissions: changed.permissions },
    text: `${user.uname}: ${changed.permissions.join(", ") || "no permissions"}${formatRevokedLinks(changed.revoked)}${await warnWithoutAdmin(context)}`,
    accessChangedOf: user.id,
  };
}

async function runDisable(context: CommandContext, isDisabled: boolean) {
  const user = await findMemberByUname(context.db, context.args[0]!);
  const revoked = await changeDisabled(context, user.id, null, isDisabled);
  return {
    json: { uname: user.uname, disabled: isDisabled },
    text: `${user.uname}: ${isDisabled ? "disabled" : "enabled"}${formatRevokedLinks(revoked)}${await warnWithoutAdmin(context)}`,
    accessChangedOf: user.id,
  };
}

async function warnWithoutAdmin(context: CommandContext): Promise<string> {
  const members = await listManagedMembers(context);
  const hasAdmin = members.some(({ permissions: held, disabled }) => held.includes("admin") && !disabled);
  return hasAdmin ? "" : "\nNobody is an administrator any more. To change that: stammtisch user grant UNAME admin";
}

const unameArgument = { usage: "UNAME", argCount: { min: 1, max: 1 } };
const unameAndPermissionArguments = { usage: "UNAME PERMISSION…", argCount: { min: 2, max: 1 + permissions.length } };

export const commands: readonly Command[] = [
  {
    name: "user list",
    description: "lists the members",
    async run({ db, clock }) {
      const members = await listManagedMembers({ db, clock });
      return {
        json: members.map(({ id, uname, name, email, permissions: held, disabled, beers }) => ({
          id,
          uname,
          name,
          email,
          permissions: held,
          disabled,
          beers,
        })),
        text: members
          .map(({ uname, name, beers, permissions: held, disabled }) =>
            [uname, name, beers, held.join(",") || "-", ...(disabled ? ["disabled"] : [])].join("\t"),
          )
          .join("\n"),
      };
    },
  },
  {
    ...unameAndPermissionArguments,
    name: "user grant",
    description: "gives permissions to a member",
    run: (context) =>
      runPermissionChange(context, (held, named) =>
        permissions.filter((one) => held.includes(one) || named.includes(one)),
      ),
  },
  {
    ...unameAndPermissionArguments,
    name: "user revoke",
    description: "takes permissions from a member",
    run: (context) => runPermissionChange(context, (held, named) => held.filter((one) => !named.includes(one))),
  },
  {
    ...unameArgument,
    name: "user disable",
    description: "disables an account and ends its sessions",
    run: (context) => runDisable(context, true),
  },
  {
    ...unameArgument,
    name: "user enable",
    description: "enables a disabled account",
    run: (context) => runDisable(context, false),
  },
  {
    ...unameArgument,
    name: "user reset-link",
    description: "creates a password reset link; needs no mail server",
    async run(context) {
      const user = await findMemberByUname(context.db, context.args[0]!);
      if (user.disabled_at !== null) throw new CommandRefusedError(`${user.uname} is disabled.`);
      const { url, expiresAt } = await createAdminResetLink(context, user.id, null);
      const hint = "\nThe new password counts only after you remove PASSWORD_LOGIN=0 and restart.";
      const text = formatLink(context.config, url) + (context.config.passwordLogin ? "" : hint);
      return { json: { url, expires_at: toIso(expiresAt) }, text };
    },
  },
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
