import { readdirSync, readFileSync } from "node:fs";

/** One process among all that have ever run on this machine. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since the boot. */
  readonly startTime: string;
  /** Pids are reused after a reboot. */
  readonly boot: string;
}

/** Returns `null` if the pid is unused or belongs to a zombie. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const stat = readStat(pid);
  return (
    stat && { pid, startTime: stat.startTime, boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() }
  );
}

export function isProcessAlive({ pid, startTime, boot }: ProcessIdentity): boolean {
  const now = identifyProcess(pid);
  return now !== null && now.startTime === startTime && now.boot === boot;
}

/** Finds a live process with this entry in its environment, which descendants inherit; `null` if none has it. */
export function findProcessGroup(entry: string): number | null {
  for (const name of readdirSync("/proc")) {
    if (/^\d+$/.test(name) && environmentOf(name).includes(entry)) {
      const stat = readStat(Number(name));
      if (stat) return stat.group;
    }
  }
  return null;
}

function readStat(pid: number): { group: number; startTime: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Skips the program's name, which is in brackets and may itself contain brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /[ZXx]/.test(fields[0]!) ? null : { group: Number(fields[2]), startTime: fields[19]! };
  } catch {
    return null;
  }
}

function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}
