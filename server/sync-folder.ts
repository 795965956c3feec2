import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes created and renamed files in the folder survive a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems return EINVAL for folders.
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
  } finally {
    closeSync(descriptor);
  }
}
