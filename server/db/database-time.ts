import { sql } from "kysely";

/**
 * The current time by PostgreSQL's clock in epoch ms. In a transaction, too, it is the time of the
 * query, not of the start of the transaction.
 */
export const databaseTime = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
