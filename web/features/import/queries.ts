import type { UseQueryResult } from "@tanstack/react-query";

import type { ReplyOf } from "#contract/endpoint.ts";
import { checkImport, getImportMembers, importBeers, type ImportChoices, type ImportReport } from "#contract/import.ts";
import { adminKey, request } from "#web/admin/api.ts";
import { call } from "#web/data/api.ts";
import { useReply } from "#web/data/query-client.ts";

export function useImportMembers(): UseQueryResult<ReplyOf<typeof getImportMembers>> {
  return useReply(getImportMembers, { queryKey: [...adminKey, "import-members"] });
}

export function checkImportFile(file: File, choices: ImportChoices): Promise<ImportReport> {
  return call(checkImport, { body: toImportForm(file, choices) });
}

export function importFile(file: File, choices: ImportChoices): Promise<ImportReport> {
  return request(importBeers, { body: toImportForm(file, choices) });
}

function toImportForm(file: File, choices: ImportChoices): FormData {
  const body = new FormData();
  body.set("choices", JSON.stringify(choices));
  body.set("file", file, file.name);
  return body;
}
