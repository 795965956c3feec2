// A minimal server as baseline for reading the counters: Fastify with one prepared SQLite query per
// request, without sessions and checks. Argument: path of the database file. Prints its port.
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";

import fastify from "fastify";

const database = new DatabaseSync(process.argv[2] ?? "");
database.exec(`
  pragma journal_mode = wal;
  create table beer_group (id integer primary key, total integer not null, version integer not null);
  insert into beer_group values (1, 7, 1);
  create table beer_members (user_id integer primary key, total integer not null);
  insert into beer_members values (1, 7);
`);
const read = database.prepare(
  "select beer_group.total as KSKCounterVal, beer_members.total as userCounterVal from beer_group left join beer_members on user_id = ?",
);
const app = fastify();
app.get("/api/beercounter/counters", async () => read.get(1));
await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
