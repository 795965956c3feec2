import { closeSync, fsyncSync, openSync } from "node:fs";

/** Waits until the disk has confirmed the entries of a folder, so that a file created or renamed in it survives a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems return EINVAL for a folder.
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
  } finally {
    closeSync(descriptor);
  }
}
