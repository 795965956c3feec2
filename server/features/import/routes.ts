import type { FastifyReply } from "fastify";

import { checkImport, getImportMembers, importBeers } from "#contract/import.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { checkUpload, importUpload } from "./actions.ts";
import * as store from "./store.ts";

export function addRoutes(context: Context): void {
  const { http, db } = context;
  handle(http, getImportMembers, () => store.listPeople(db));
  handle(http, checkImport, ({ receiveUpload, reply }) => checkUpload(context, receiveUpload, untilClosed(reply)));
  handle(http, importBeers, ({ receiveUpload, member, reply }) =>
    importUpload(context, receiveUpload, { by: member.id, signal: untilClosed(reply) }),
  );
}

function untilClosed({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  raw.once("close", () => closed.abort(refuse("importAbandoned")));
  return closed.signal;
}
