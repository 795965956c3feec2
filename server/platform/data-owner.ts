import { statSync } from "node:fs";

import { CommandRefusedError } from "./command.ts";

/**
 * Switches from root to the user who owns `dataDir`, until the process ends: the service could not open files of root. Does
 * nothing for any other user, and where the folder is root's own or does not exist yet.
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

/** `initgroups` is missing in the types of Node. */
type ProcessWithInitgroups = NodeJS.Process & { initgroups(uid: number, gid: number): void };

/** Takes the groups of the owner, such as that of the container engine's socket. */
function setOwnerGroups(uid: number, gid: number): void {
  try {
    (process as ProcessWithInitgroups).initgroups(uid, gid);
  } catch {
    // A user without a name on this machine has no groups.
    process.setgroups!([gid]);
  }
}
