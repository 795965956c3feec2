import type { ExampleCalls } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";

export const exampleCalls = {
  "GET /internal/images/avatar/:id": {
    path: `/internal/images/avatar/${fixtures.avatarId}`,
  },
} satisfies ExampleCalls;
