import { removeGuest } from "#contract/party-guests.ts";
import * as contract from "#contract/party.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import * as actions from "./actions.ts";
import { findAsking } from "./guest-actions.ts";
import { findStory } from "./story-actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.getParties, ({ member, query }) => actions.listParties(context, member, query.before));
  handle(http, contract.getRunningParties, async ({ member }) => {
    const parties = await actions.listRunningParties(context, member);
    const story = parties.some(({ is_member }) => is_member) ? null : await findStory(context, member);
    return { parties, story, asking: await findAsking(context, member) };
  });
  handle(http, contract.getParty, ({ member, params }) => actions.findParty(context, member, params.id));
  handle(http, contract.startParty, ({ member, body }) => actions.startParty(context, member, body.name));
  handle(http, contract.renameParty, ({ member, params, body }) =>
    actions.renameParty(context, member, params.id, body.name),
  );
  handle(http, contract.joinParty, ({ member, params, body }) =>
    actions.joinParty(context, member, params.id, body.with_earlier === true),
  );
  handle(http, contract.goHomeFromParty, ({ member, params }) => actions.goHome(context, member, params.id));
  handle(http, contract.leaveParty, ({ member, params }) => actions.leaveParty(context, member, params.id));
  handle(http, contract.endParty, ({ member, params }) => actions.endParty(context, member, params.id));
  handle(http, contract.deleteParty, ({ member, params }) => actions.deleteParty(context, member, params.id));
  handle(http, removeGuest, ({ member, params }) => actions.removeGuest(context, member, params.guest));
}
