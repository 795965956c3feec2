import * as contract from "#contract/corrections.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { correctName, listBeersToTakeBack, removeChosenPicture, takeBackBeersOf } from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.correctName, ({ member, params, body }) => correctName(context, member, params.id, body.name));
  handle(http, contract.removePicture, ({ member, params }) => removeChosenPicture(context, member, params.id));
  handle(http, contract.getMemberBeers, ({ params }) => listBeersToTakeBack(context, params.id));
  handle(http, contract.takeBackBeers, ({ member, params, body }) =>
    takeBackBeersOf(context, member, params.id, body.ids),
  );
}
