import { newestNews } from "#contract/news.ts";
import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  "POST /api/user/news": { body: () => ({ seen: newestNews }) },
} satisfies ExampleCalls;
