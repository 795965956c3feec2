import { countUsers } from "#server/features/members/store.ts";
import { type Command, CommandRefusedError, parseNumberOption } from "#server/platform/command.ts";
import { seedCalendar, seedBeers, seedGameServers, seedMembers } from "./actions.ts";

const maxBeers = 10_000_000;

export const demoCommands: readonly Command[] = [
  {
    name: "demo",
    usage: "[--beers N]",
    description:
      "fills an empty installation with eight regulars, two years of beers, three game servers and a Christmas calendar",
    argCount: { min: 0, max: 0 },
    createsDatabase: true,
    options: { beers: { type: "string" } },
    async run({ db, clock, config, options }) {
      if ((await countUsers(db)) > 0)
        throw new CommandRefusedError("There are members already; the demo fills only an empty installation.");
      const wanted =
        options["beers"] === undefined
          ? null
          : parseNumberOption("beers", options["beers"], { usual: 0, min: 0, max: maxBeers });
      const now = clock.now();
      const members = await seedMembers(db, now);
      const beers = await seedBeers(db, members, now, config.timeZone, wanted);
      await seedCalendar(db, now, config.timeZone);
      await seedGameServers({ db, clock, config });
      return {
        json: {
          members: members.map(({ uname, name, password, permissions }) => ({ uname, name, password, permissions })),
          beers,
        },
        text: [...members.map(({ uname, password }) => `${uname}\t${password}`), `${beers} beers`].join("\n"),
      };
    },
  },
];
