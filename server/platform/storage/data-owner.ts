import { statSync } from "node:fs";

import { CommandRefusedError } from "#server/platform/command.ts";

/**
 * Switches from root for the rest of the process, because the service could not open files that root creates. Does
 * nothing if root owns the folder, or if it is missing.
 */
export function switchToDataOwner(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (process.getuid?.() !== 0 || !owner || owner.uid === 0) return;
  const { uid, gid } = owner;
  try {
    setOwnerGroups(uid, gid);
    process.setgid!(gid);
    process.setuid!(uid);
  } catch {
    throw new CommandRefusedError(`DATA_DIR: ${dataDir} belongs to user ${uid}. Run this command as that user.`);
  }
}

type ProcessWithInitgroups = NodeJS.Process & { initgroups(uid: number, gid: number): void };

/** For example the group of the container engine's socket. */
function setOwnerGroups(uid: number, gid: number): void {
  try {
    (process as ProcessWithInitgroups).initgroups(uid, gid);
  } catch {
    // `initgroups` fails for a user without a name on this computer, who has no further groups.
    process.setgroups!([gid]);
  }
}
