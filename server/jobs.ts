import { features } from "./features.ts";
import type { Context } from "./platform/context.ts";
import type { Job } from "./platform/feature.ts";
import { outageFields } from "./platform/log.ts";
import { every } from "./time.ts";

/**
 * Jobs that only one instance may run start when this instance gets their lease. The returned function stops all jobs
 * and releases the lease.
 */
export function startJobs(context: Context): () => Promise<void> {
  const jobs = features.flatMap((feature) => feature.jobs ?? []);
  const { true: everywhere = [], undefined: once = [] } = Object.groupBy(jobs, (job) => `${job.isEverywhere}`);
  const stops = everywhere.map((job) => startJob(context, job));
  const lease = context.leases.acquire("jobs", (signal) => {
    const ends = once.map((job) => startJob(context, job));
    signal.addEventListener("abort", () => ends.forEach((end) => end()));
  });
  return async () => {
    stops.forEach((stop) => stop());
    await lease.release();
  };
}

function startJob(context: Context, { name, atStart, interval, run }: Job): () => void {
  const onError = (error: unknown) => context.log.warn("job-failed", { job: name, ...outageFields(error) });
  const work = async () => run(context);
  if (atStart) work().catch(onError);
  return interval === undefined ? () => {} : every(interval, work, onError);
}
