import * as memberStore from "#server/features/members/store.ts";
import { type Command, CommandRefusedError, parseNumberOption } from "#server/platform/command.ts";
import { seedMembers } from "./demo-actions.ts";

const maxBeers = 10_000_000;

export const demoCommands: readonly Command[] = [
  {
    name: "demo",
    usage: "[--beers N]",
    description: "fills an empty installation with demo data: 8 members, 2 years of beers, 3 game servers, a calendar",
    createsDatabase: true,
    options: { beers: { type: "string" } },
    async run({ db, say, clock, config, options, demoSeeds }) {
      if ((await memberStore.countUsers(db)) > 0)
        throw new CommandRefusedError("There are members already; the demo fills only an empty installation.");
      const beers = parseNumberOption("beers", options["beers"], { usual: null, min: 0, max: maxBeers });
      const members = await seedMembers(db, clock.now());
      const counts: Record<string, number> = {};
      for (const seed of demoSeeds) {
        const seeded = (await seed({ db, say, clock, config, members, beers })) ?? {};
        for (const [what, count] of Object.entries(seeded)) counts[what] = (counts[what] ?? 0) + count;
      }
      return {
        json: {
          members: members.map(({ uname, name, password, permissions }) => ({ uname, name, password, permissions })),
          ...counts,
        },
        text: [
          ...members.map(({ uname, password }) => `${uname}\t${password}`),
          ...Object.entries(counts).map(([what, count]) => `${count} ${what}`),
        ].join("\n"),
      };
    },
  },
];
