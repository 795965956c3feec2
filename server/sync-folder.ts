import { closeSync, fsyncSync, openSync } from "node:fs";

/** Waits until the disk has confirmed the names in a folder: a file that was created or renamed there survives a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // What some network file systems answer for a folder.
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
  } finally {
    closeSync(descriptor);
  }
}
