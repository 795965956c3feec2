import { sql } from "kysely";

/** The time by PostgreSQL's own clock in epoch ms, also within a transaction that began earlier. */
export const databaseTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
