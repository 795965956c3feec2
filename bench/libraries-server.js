// A minimal server as baseline for the memory: plain Node that loads the same libraries as the app
// at its start. Argument: path of the database file. Prints its port. Written in JavaScript,
// because Node would keep its TypeScript compiler in memory.
import { DatabaseSync } from "node:sqlite";

import "@fastify/cookie";
import "@fastify/cors";
import "@fastify/multipart";
import "@fastify/proxy-addr";
import "@fastify/static";
import fastify from "fastify";
import "kysely";
import "ws";
import "zod/mini";

new DatabaseSync(process.argv[2] ?? "").exec("pragma journal_mode = wal");
const app = fastify();
await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${app.server.address().port}\n`);
