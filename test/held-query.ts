import { type KyselyPlugin, type QueryId, type RootOperationNode, sql } from "kysely";

import type { Db } from "#server/db/connect.ts";

/** An answer of the database that is on its way for as long as the test wants. */
export interface HeldQuery {
  /** Resolves once the database has carried the statement out. */
  readonly reached: Promise<void>;
  /** Passes the answer on. */
  release(): void;
}

export interface QueryGate {
  /** Put into the connection whose answers are to be held. */
  readonly plugin: KyselyPlugin;
  /** Holds the answer to the next statement of `kind` that names the table or column `name`. */
  hold(kind: RootOperationNode["kind"], name: string): HeldQuery;
}

/** A slow database on demand, so that something else can happen between two statements of a request. */
export function createQueryGate(): QueryGate {
  let isMeant: ((node: RootOperationNode) => boolean) | null = null;
  /** The statements by their ids; a prepared one is built once and carried out often. */
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

/** Lets something happen after a request has read from the table or column `name`, before it goes on. */
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

/** Whether a transaction on this PostgreSQL database waits for a lock of another one. */
export async function isAnyoneWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length > 0;
}
