import * as contract from "#contract/calendar-lottery.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import * as actions from "./lottery-actions.ts";

export function addLotteryRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.getOwnDoors, ({ member }) => actions.findOwnDoors(context, member.id));
  handle(http, contract.markOwnDoorsSeen, ({ member }) => actions.markSeen(context, member.id));
  handle(http, contract.getSwapPartners, ({ member }) => actions.listSwapPartners(context, member.id));
  handle(http, contract.offerSwap, ({ member, body }) => actions.offerSwap(context, member, body));
  handle(http, contract.acceptSwap, ({ member, params, body }) =>
    actions.acceptSwap(context, member, params.id, body.date),
  );
  handle(http, contract.endSwap, ({ member, params }) => actions.endSwap(context, member, params.id));

  handle(http, contract.dealCalendarDoors, ({ member, body }) => actions.dealFreeDoors(context, body.year, member.id));
  handle(http, contract.getCalendarDealings, ({ query }) => actions.findDealings(context, Number(query.year)));
  handle(http, contract.previewDealing, ({ member, body }) => actions.previewDealing(context, body.year, member.id));
  handle(http, contract.applyDealing, ({ member, params }) => actions.applyDealing(context, params.id, member.id));
}
