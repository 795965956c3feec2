// A minimal server as baseline for booking beers: node:http and node:sqlite, without sessions,
// checks and framework. Each request writes the same rows as the app (a beer with its idempotency
// key, and the stored counts) in one durable transaction. After the commit, the server sends the
// event to every open WebSocket, with the package `ws`. Arguments: path of the database file, and
// the port, by default a free one. Prints its port.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";

import { WebSocketServer } from "ws";

const database = new DatabaseSync(process.argv[2] ?? "");
database.exec(`
  pragma journal_mode = wal; pragma synchronous = full;
  create table beers (id integer primary key autoincrement, user_id integer not null, key text, at integer not null,
    group_total integer not null, own_total integer not null);
  create unique index beers_by_key on beers (key, user_id) where key is not null;
  create table beer_group (id integer primary key, total integer not null, version integer not null, first_day text);
  insert into beer_group values (1, 0, 0, null);
  create table beer_members (user_id integer primary key, total integer not null, monday integer, tuesday integer,
    wednesday integer, thursday integer, friday integer, saturday integer, sunday integer);
  create table beer_member_days (day text, user_id integer, total integer not null, primary key (day, user_id));
`);
const begin = database.prepare("begin immediate");
const commit = database.prepare("commit");
const countGroup = database.prepare("update beer_group set total = total + 1, version = version + 1 returning total");
const countMember = database.prepare(
  `insert into beer_members values (?, 1, 1, 0, 0, 0, 0, 0, 0) on conflict do update set total = total + 1, monday = monday + 1
   returning total`,
);
const countDay = database.prepare(
  "insert into beer_member_days values (?, 1, 1) on conflict do update set total = total + 1",
);
const insertBeer = database.prepare(
  "insert into beers (user_id, key, at, group_total, own_total) values (?, ?, ?, ?, ?)",
);

function bookBeer(key: string): { KSKCounterVal: number; userCounterVal: number } {
  const now = new Date();
  begin.run();
  const { total } = countGroup.get() as { total: number };
  const { total: own } = countMember.get(1) as { total: number };
  countDay.run(now.toISOString().slice(0, 10));
  insertBeer.run(1, key, now.getTime(), total, own);
  commit.run();
  return { KSKCounterVal: total, userCounterVal: own };
}

const server = createServer((request, response) => {
  const counters = bookBeer(String(request.headers["idempotency-key"]));
  const body = JSON.stringify(counters);
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
  if (sockets.clients.size === 0) return;
  const data = { counterVal: counters.KSKCounterVal, userId: 1, userName: "anna", avatarId: null, version: 1 };
  const event = { event: "updated", channel: "private-beercounter", data: JSON.stringify(data) };
  const frame = Buffer.from(JSON.stringify(event));
  for (const socket of sockets.clients) socket.send(frame, { binary: false });
});
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
server.listen(Number(process.argv[3] ?? 0), "127.0.0.1", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
