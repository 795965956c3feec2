import { features } from "./features.ts";
import type { Context } from "./platform/context.ts";
import { outageFields } from "./platform/log.ts";
import { every } from "./time.ts";

/** Starts the mailer, the push queue and the periodic jobs of all features. Returns a function that stops them. */
export function startJobs(context: Context): () => void {
  const stops = [context.mailer.start(), context.push.start()];
  for (const { name, atStart, interval, run } of features.flatMap(({ jobs = [] }) => jobs)) {
    const onError = (error: unknown) => context.log.warn("job-failed", { job: name, ...outageFields(error) });
    const work = async () => run(context);
    if (atStart) work().catch(onError);
    if (interval !== undefined) stops.push(every(interval, work, onError));
  }
  return () => stops.forEach((stop) => stop());
}
