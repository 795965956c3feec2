// Programs that the tests need besides npm packages, installed from Debian packages where possible.
import { existsSync, globSync } from "node:fs";

import { runToEnd } from "./child-processes.ts";

/**
 * A program that the tests need: the paths to look for it, and the Debian package to install it
 * from.
 */
export interface SystemProgram {
  package: string;
  paths: readonly string[];
  /** Advice that is printed if the package cannot be installed. */
  hint: string;
}

export const chromium: SystemProgram = {
  package: "chromium",
  paths: [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
  hint: "Run `npx playwright-core install chromium` and set CHROMIUM to the path it prints.",
};

/** Chromium without windows, menus and notifications, in which the tests run a third faster. */
export const headlessShell: SystemProgram = {
  package: "chromium-headless-shell",
  paths: ["/usr/bin/chromium-headless-shell"],
  hint: "The journeys then take longer, in the whole browser.",
};

export const firefox: SystemProgram = {
  package: "firefox-esr",
  paths: ["/usr/bin/firefox-esr", "/usr/bin/firefox"],
  hint: "Install Firefox.",
};

export const webKitDriver: SystemProgram = {
  package: "webkit2gtk-driver",
  paths: ["/usr/bin/WebKitWebDriver"],
  hint: "Install the WebDriver of WebKitGTK.",
};

/** The minimal browser that WebKitGTK ships for its tests. */
export const miniBrowser: SystemProgram = {
  package: "libwebkit2gtk-4.1-0",
  paths: ["/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser"],
  hint: webKitDriver.hint,
};

export const xvfb: SystemProgram = { package: "xvfb", paths: ["/usr/bin/Xvfb"], hint: "Install Xvfb." };

export const postgres: SystemProgram = {
  package: "postgresql",
  paths: [
    "/usr/lib/postgresql/*/bin/postgres",
    "/opt/homebrew/opt/postgresql*/bin/postgres",
    "/usr/local/bin/postgres",
  ],
  hint: "Install PostgreSQL 15 or newer.",
};

export const docker: SystemProgram = {
  package: "docker.io",
  paths: ["/usr/bin/dockerd", "/usr/sbin/dockerd", "/usr/local/bin/dockerd"],
  hint: "The game servers are then tested against a made-up engine alone.",
};

export const busybox: SystemProgram = {
  package: "busybox-static",
  paths: ["/bin/busybox", "/usr/bin/busybox"],
  hint: docker.hint,
};

export const teeworlds: SystemProgram = {
  package: "teeworlds-server",
  paths: ["/usr/games/teeworlds-server"],
  hint: "No real game is then started by the tests.",
};

export const strace: SystemProgram = { package: "strace", paths: ["/usr/bin/strace"], hint: "Install strace." };

export const iptables: SystemProgram = {
  package: "iptables",
  paths: ["/usr/sbin/iptables"],
  hint: "Install iptables.",
};

export const faketime: SystemProgram = {
  package: "libfaketime",
  paths: ["/usr/lib/*/faketime/libfaketime.so.1"],
  hint: "Install libfaketime.",
};

export const caddy: SystemProgram = { package: "caddy", paths: ["/usr/bin/caddy"], hint: "Install Caddy." };

export const dockerCompose: SystemProgram = {
  package: "docker-compose",
  paths: ["/usr/bin/docker-compose", "/usr/local/bin/docker-compose"],
  hint: "Install Docker Compose.",
};

export const pgBouncer: SystemProgram = {
  package: "pgbouncer",
  paths: ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"],
  hint: "Install PgBouncer.",
};

export const nginx: SystemProgram = { package: "nginx-light", paths: ["/usr/sbin/nginx"], hint: "Install nginx." };

export const systemd: SystemProgram = {
  package: "systemd",
  paths: ["/usr/bin/systemd-analyze"],
  hint: "Install systemd.",
};

/**
 * Returns the path of a program, which is installed if missing. Returns `null` if the installation
 * fails, and prints the reason to stderr.
 */
export async function ensureInstalled(program: SystemProgram): Promise<string | null> {
  return findProgram(program) ?? (await install(program));
}

/**
 * Returns `true` if this process may mount file systems, which a container engine requires. Usually
 * `false` inside a container, even for root.
 */
export async function canMount(): Promise<boolean> {
  return process.getuid?.() === 0 && (await runToEnd("unshare", ["--mount", "true"])).code === 0;
}

async function install(program: SystemProgram): Promise<string | null> {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  if (!existsSync("/usr/bin/apt-get") || process.getuid?.() !== 0) {
    say(`${program.package} is missing and only root on Debian or Ubuntu can install it from here. ${program.hint}`);
    return null;
  }
  say(`Installing ${program.package} …`);
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" } };
  await runToEnd("apt-get", ["update", "-q"], options);
  const args = ["install", "-qy", "--no-install-recommends", program.package];
  const { code, output } = await runToEnd("apt-get", args, options);
  if (code !== 0) say(`${output.slice(-2000)}\n${program.package} could not be installed. ${program.hint}`);
  return findProgram(program);
}

/** Returns the path of a program; throws if it is missing. */
export function requireProgram(program: SystemProgram): string {
  const path = findProgram(program);
  if (path === null) throw new Error(`${program.package} is missing. ${program.hint}`);
  return path;
}

/**
 * Returns the path of a program, or `null` if it is not installed. If several versions are
 * installed, returns the newest.
 */
export function findProgram(program: SystemProgram): string | null {
  const found = program.paths.filter(Boolean).flatMap((path) => globSync(path).toSorted().toReversed());
  return found[0] ?? null;
}
