import type { Leases } from "#server/platform/leases/leases.ts";
import type { Supervisor } from "./supervisor.ts";

export type Leadership = ReturnType<typeof createLeadership>;

/**
 * Waits for the lease of this name, and creates a supervisor while this instance holds it. The signal
 * is aborted when the lease is lost.
 */
export function createLeadership(leases: Leases, name: string, create: (signal: AbortSignal) => Supervisor) {
  let supervisor: Supervisor | null = null;
  let began = Promise.withResolvers<void>();
  const lease = leases.acquire(name, (signal) => {
    supervisor = create(signal);
    began.resolve();
    signal.addEventListener("abort", () => {
      supervisor = null;
      began = Promise.withResolvers();
    });
  });
  return {
    /** Resolves once it is known whether this instance leads. */
    known: lease.known,
    /** The supervisor; `null` while another instance leads. */
    get supervisor(): Supervisor | null {
      return supervisor;
    },
    /** Resolves when this instance begins to lead. */
    get began(): Promise<void> {
      return began.promise;
    },
    release: () => lease.release(),
  };
}
