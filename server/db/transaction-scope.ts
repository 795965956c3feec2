import { AsyncLocalStorage } from "node:async_hooks";

const scope = new AsyncLocalStorage<true>();
const ended = new WeakSet<object>();

/**
 * Runs the body of a transaction. Everything that the body calls counts as inside the transaction.
 */
export function runInTransactionScope<Tx extends object, Result>(
  tx: Tx,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return scope.run(true, work, tx).finally(() => ended.add(tx));
}

/** Returns `true` if `db` is a transaction whose body has ended. */
export function hasEnded(db: object): boolean {
  return ended.has(db);
}

/**
 * Throws inside a transaction. An event sent before the commit could not be undone by a rollback,
 * and receivers would read the old rows.
 */
export function checkOutsideTransaction(call: string): void {
  if (!scope.getStore()) return;
  throw new Error(
    `${call}() was called inside a transaction. Return what it needs from inTransaction(), and call it after that.`,
  );
}

/** Returns a copy of an object whose named methods throw inside a transaction. */
export function afterCommitOnly<Target extends object>(
  name: string,
  target: Target,
  ...methods: readonly (keyof Target & string)[]
): Target {
  const guarded = methods.map((method) => {
    const call = target[method] as (...args: unknown[]) => unknown;
    const guard = (...args: unknown[]): unknown => {
      checkOutsideTransaction(`${name}.${method}`);
      return call(...args);
    };
    return [method, guard];
  });
  return { ...target, ...Object.fromEntries(guarded) };
}
