import * as contract from "#contract/releases.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { findReleaseCheck, switchReleaseCheck } from "./release-actions.ts";

export function addReleaseRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getReleaseCheck, () => findReleaseCheck(context));
  handle(http, contract.switchReleaseCheck, ({ member, body }) =>
    switchReleaseCheck(context, body.is_checking, member.id),
  );
}
