import { type KyselyPlugin, type QueryId, type RootOperationNode, sql } from "kysely";

import type { Db } from "#server/db/connect.ts";

/** An answer of the database that is held back until the test releases it. */
export interface HeldQuery {
  /** Resolves once the database has executed the statement. */
  readonly reached: Promise<void>;
  /** Lets the server receive the answer. */
  release(): void;
}

export interface QueryGate {
  /** Kysely plugin that can hold back the answers of a database connection. */
  readonly plugin: KyselyPlugin;
  /**
   * Holds back the answer to the next statement of `kind` that names the table or column `name`.
   */
  hold(kind: RootOperationNode["kind"], name: string): HeldQuery;
}

/** Creates a gate that delays one answer of the database, so that a test can act between two statements of a request. */
export function createQueryGate(): QueryGate {
  let isMeant: ((node: RootOperationNode) => boolean) | null = null;
  /**
   * The statements by id, because Kysely passes only the id with a result. A prepared statement is
   * built once and executed many times.
   */
  const nodes = new WeakMap<QueryId, RootOperationNode>();
  let reach = () => {};
  let released = Promise.resolve();
  return {
    hold(kind, name) {
      isMeant = (node) => node.kind === kind && JSON.stringify(node).includes(`"${name}"`);
      const reached = new Promise<void>((resolve) => (reach = resolve));
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return { reached, release: resolve };
    },
    plugin: {
      transformQuery({ node, queryId }) {
        nodes.set(queryId, node);
        return node;
      },
      async transformResult({ queryId, result }) {
        if (isMeant?.(nodes.get(queryId)!)) {
          isMeant = null;
          reach();
          await released;
        }
        return result;
      },
    },
  };
}

/**
 * Calls `send`, which sends a request, and runs `happen` after that request has read from the table
 * or column `name`, before the request continues.
 */
export async function afterReading<Answer>(
  hold: QueryGate["hold"],
  name: string,
  send: () => Promise<Answer>,
  happen: () => Promise<unknown>,
): Promise<Answer> {
  const read = hold("SelectQueryNode", name);
  const sent = send();
  await read.reached;
  await happen();
  read.release();
  return sent;
}

/** Returns `true` if a transaction on this PostgreSQL database waits for a lock. */
export async function isAnyoneWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}
