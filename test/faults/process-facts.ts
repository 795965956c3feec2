import { readdirSync, readFileSync } from "node:fs";

/** Resident memory in MiB. */
export function memoryOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024);
}

/** Open files and sockets. */
export function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Bytes read since it began, from files and sockets. */
export function bytesReadBy(pid: number): number {
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))![1]);
}
