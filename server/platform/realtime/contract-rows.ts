import { type ContractRows, members } from "#test/contract-row.ts";

const unknownSocket = { socket_id: "1.1" };

export const contractRows = {
  "POST /broadcasting/auth": {
    statuses: members(422),
    body: () => ({ ...unknownSocket, channel_name: "private-beercounter" }),
    fields: [],
  },
  "POST /broadcasting/user-auth": { statuses: members(403), body: () => unknownSocket, fields: [] },
} satisfies ContractRows;
