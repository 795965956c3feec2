// What the memory at rest is compared with: bare Node that has loaded the libraries the app loads at its start, and listens. Takes a
// file, prints its port. In JavaScript, since Node keeps its compiler for TypeScript in memory.
import { DatabaseSync } from "node:sqlite";

import "@fastify/busboy";
import "@fastify/cookie";
import "@fastify/cors";
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
