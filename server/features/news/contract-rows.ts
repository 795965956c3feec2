import { newestNews } from "#contract/news.ts";
import { type ContractRows, members } from "#test/contract-row.ts";

export const contractRows = {
  "POST /api/user/news": { statuses: members(204), body: () => ({ seen: newestNews }), fields: [] },
} satisfies ContractRows;
