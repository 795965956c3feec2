import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  "POST /api/admin/group": {
    body: () => ({
      group_name: "Skatrunde",
      group_short: "SKR",
      legal_links: [{ label: "Impressum", url: "/impressum" }],
    }),
  },
} satisfies ExampleCalls;
