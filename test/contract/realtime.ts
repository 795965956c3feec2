import type { ExampleCalls } from "#test/example-call.ts";

/** The id of a socket that does not exist, so the signatures cannot be used. */
const goneSocket = { socket_id: "1.1" };

export const exampleCalls = {
  "POST /broadcasting/auth": {
    body: () => ({ ...goneSocket, channel_name: "private-beercounter" }),
  },
  "POST /broadcasting/user-auth": {
    body: () => goneSocket,
  },
} satisfies ExampleCalls;
