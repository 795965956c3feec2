import { AsyncLocalStorage } from "node:async_hooks";

/** Must not reject, because the change is already stored. */
type AfterCommit = () => unknown;

const scope = new AsyncLocalStorage<true>();
const ended = new WeakSet<object>();
const waiting = new WeakMap<object, AfterCommit[]>();

/** Everything that the body calls is inside the transaction. `waits` collects the work passed to `afterCommit`. */
export function runInTransactionScope<Tx extends object, Result>(
  tx: Tx,
  waits: AfterCommit[],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  waiting.set(tx, waits);
  return scope.run(true, work, tx).finally(() => ended.add(tx));
}

export function hasEnded(db: object): boolean {
  return ended.has(db);
}

/**
 * Runs `work` after the commit of the transaction `db`, in the order of the calls; never after a rollback.
 * `inTransaction` resolves only when `work` has ended. If `db` is no transaction, runs `work` immediately.
 */
export async function afterCommit(db: object, work: AfterCommit): Promise<void> {
  const waits = waiting.get(db);
  if (waits) return void waits.push(work);
  checkTransaction(db);
  await work();
}

/** Throws inside a transaction if `db` is not a transaction. */
export function checkTransaction(db: object): void {
  if (scope.getStore() && !waiting.has(db))
    throw new Error("A message of a transaction needs the transaction (tx) instead of the database.");
}
