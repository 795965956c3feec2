import { AsyncLocalStorage } from "node:async_hooks";

/** Work that waits for a commit. It must not reject, because the change is already stored. */
type AfterCommit = () => unknown;

const scope = new AsyncLocalStorage<true>();
const ended = new WeakSet<object>();
const waiting = new WeakMap<object, AfterCommit[]>();

/**
 * Runs the body of a transaction. Everything that the body calls counts as inside the transaction.
 * `waits` collects the work that is passed to `afterCommit`.
 */
export function runInTransactionScope<Tx extends object, Result>(
  tx: Tx,
  waits: AfterCommit[],
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  waiting.set(tx, waits);
  return scope.run(true, work, tx).finally(() => ended.add(tx));
}

/** Returns `true` if `db` is a transaction whose body has ended. */
export function hasEnded(db: object): boolean {
  return ended.has(db);
}

/**
 * Runs `work` after the transaction `db` has been committed, in the order of the calls; never after
 * a rollback. `inTransaction` resolves only when `work` has ended. If `db` is no transaction, runs
 * `work` immediately and resolves when `work` has ended.
 */
export async function afterCommit(db: object, work: AfterCommit): Promise<void> {
  const waits = waiting.get(db);
  if (waits) return void waits.push(work);
  checkTransaction(db);
  await work();
}

/** Throws if the caller is inside a transaction, but passes a `db` that is not a transaction. */
export function checkTransaction(db: object): void {
  if (scope.getStore() && !waiting.has(db))
    throw new Error("A message of a transaction needs the transaction (tx) instead of the database.");
}
