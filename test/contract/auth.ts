import type { ExampleCalls } from "#test/example-call.ts";
import { password } from "#test/test-app.ts";

export const exampleCalls = {
  "POST /api/login": {
    body: () => ({ uname: "ben", password }),
  },
} satisfies ExampleCalls;
