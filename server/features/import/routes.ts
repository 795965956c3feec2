import { checkImport, getImportMembers, importBeers } from "#contract/import.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { checkUpload, importUpload } from "./actions.ts";
import { listPeople } from "./store.ts";

export function addRoutes(context: Context): void {
  const { http, db } = context;
  handle(http, getImportMembers, () => listPeople(db));
  handle(http, checkImport, ({ receiveUpload }) => checkUpload(context, receiveUpload));
  handle(http, importBeers, ({ receiveUpload, member }) => importUpload(context, receiveUpload, member.id));
}
