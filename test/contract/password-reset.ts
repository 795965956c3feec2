import type { ExampleCalls } from "#test/example-call.ts";
import { password } from "#test/test-app.ts";

export const exampleCalls = {
  "POST /api/forgot-password": {
    body: () => ({ email: "niemand@stammtisch.example" }),
  },
  "POST /api/reset-password": {
    status: 422,
    body: () => ({ token: "x".repeat(43), password, password_confirmation: password }),
  },
} satisfies ExampleCalls;
