import { type ContractRows, members } from "#test/contract-row.ts";

/** No socket has this id, so that the signatures open nothing. */
const goneSocket = { socket_id: "1.1" };

export const contractRows = {
  "POST /broadcasting/auth": {
    statuses: members(200),
    body: () => ({ ...goneSocket, channel_name: "private-beercounter" }),
    fields: ["auth"],
  },
  "POST /broadcasting/user-auth": {
    statuses: members(200),
    body: () => goneSocket,
    fields: ["auth", "user_data"],
  },
} satisfies ContractRows;
