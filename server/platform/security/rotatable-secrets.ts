import type { Clock } from "#server/platform/clock.ts";
import { type Log, outageFields } from "#server/platform/log.ts";
import { seconds } from "#server/time.ts";
import type { Secrets } from "./secrets.ts";

type RotatableName = keyof NonNullable<Secrets["previous"]>;

/** An operator can rotate these without a member noticing. */
export interface RotatableSecrets {
  /** For new signatures. */
  current(name: RotatableName): string;
  /**
   * Tries the current secret, and the previous one within an hour after the rotation. Before it returns `false`, reads
   * the stored secrets again, at most once a second: another instance that started after a rotation signs with the new
   * secret.
   */
  accepts(name: RotatableName, matches: (secret: string) => boolean): Promise<boolean>;
}

const readEvery = seconds(1);

/** `read` returns `undefined` if no secrets are stored. */
export function createRotatableSecrets(options: {
  secrets: Secrets;
  read(): Promise<Secrets | undefined>;
  clock: Clock;
  log: Log;
}): RotatableSecrets {
  const { read, clock, log } = options;
  let { secrets } = options;
  let readAt = -Infinity;
  let reading = Promise.resolve();

  async function readAgain(): Promise<void> {
    try {
      secrets = (await read()) ?? secrets;
    } catch (error) {
      log.warn("secrets-not-read", outageFields(error));
    }
  }

  function isAccepted(name: RotatableName, matches: (secret: string) => boolean): boolean {
    if (matches(secrets[name])) return true;
    const previous = secrets.previous?.[name];
    if (!previous || previous.until <= clock.now()) return false;
    return matches(previous.secret);
  }

  return {
    current: (name) => secrets[name],
    async accepts(name, matches) {
      if (isAccepted(name, matches)) return true;
      const now = clock.monotonic();
      if (now - readAt >= readEvery) {
        readAt = now;
        reading = readAgain();
      }
      await reading;
      return isAccepted(name, matches);
    },
  };
}
