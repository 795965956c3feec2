import { globSync } from "node:fs";
import { join } from "node:path";

import type { ContractRow, ContractRows } from "./contract-row.ts";
import type { TestApp } from "./test-app.ts";

/** What a feature's contract-rows.ts exports. */
interface ContractModule {
  readonly contractRows?: ContractRows;
  /** The fields that the feature adds to a member's export. */
  readonly exportedFields?: readonly string[];
  /** Inserts what the calls of all rows ask for; every actor is a user already. */
  createContractFixtures?(app: TestApp): Promise<void>;
}

const root = join(import.meta.dirname, "..");
const modules: readonly ContractModule[] = await Promise.all(
  globSync("server/**/contract-rows.ts", { cwd: root })
    .toSorted()
    .map(async (path) => (await import(join(root, path))) as ContractModule),
);

/** Who may do what, for every endpoint there is, collected from the folders of the features. */
export const contractRows: Readonly<Record<string, ContractRow>> = collectRows();

function collectRows(): Record<string, ContractRow> {
  const rows: Record<string, ContractRow> = Object.assign({}, ...modules.map((module) => module.contractRows ?? {}));
  const exportRow = rows["GET /api/user/export"]!;
  const exportedFields = modules.flatMap((module) => module.exportedFields ?? []);
  return { ...rows, "GET /api/user/export": { ...exportRow, fields: [...exportRow.fields, ...exportedFields] } };
}

export async function insertContractFixtures(app: TestApp): Promise<void> {
  for (const { createContractFixtures } of modules) await createContractFixtures?.(app);
}
