import { readdirSync, readFileSync } from "node:fs";

/** Returns the resident memory of a process in MiB. */
export function memoryOf(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024);
}

/** Returns the highest resident memory of a process so far in MiB. */
export function peakMemoryOf(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024);
}

/** Returns the processor time in milliseconds that a process has used since its start. */
export function processorTimeOf(pid: number): number {
  const ticks = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return 10 * (Number(ticks[11]) + Number(ticks[12]));
}

/** Returns the number of files and sockets that a process has open. */
export function handlesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Returns the bytes that the process has read from files and sockets since it started. */
export function bytesReadBy(pid: number): number {
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, "utf8"))![1]);
}

/** Returns the kernel's number of established connections to a port of 127.0.0.1. */
export function connectionsTo(port: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const established = "01";
  const connections = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return connections.filter((line) => {
    const [, address, , state] = line.trim().split(/\s+/);
    return address === local && state === established;
  }).length;
}
