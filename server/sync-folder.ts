import { closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Flushes a folder's list of files to disk, so that a file created or renamed in the folder
 * survives a power cut.
 */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Ignores EINVAL, which some network file systems return for folders.
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
  } finally {
    closeSync(descriptor);
  }
}
