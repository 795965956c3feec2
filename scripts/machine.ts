// Programs of the machine that the tests need, installed from Debian's packages where that is possible.
import { existsSync, globSync } from "node:fs";

import { runToEnd } from "./programs.ts";

/** A program the tests need: where it may lie, and the Debian package that brings it. */
export interface MachineProgram {
  package: string;
  paths: readonly string[];
  /** What to do on a machine without Debian's packages. */
  hint: string;
}

export const chromium: MachineProgram = {
  package: "chromium",
  paths: [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
  hint: "Run `npx playwright-core install chromium` and set CHROMIUM to the path it prints.",
};

/** The same without windows, menus and notifications, and a third faster for it. */
export const headlessShell: MachineProgram = {
  package: "chromium-headless-shell",
  paths: ["/usr/bin/chromium-headless-shell"],
  hint: "The journeys then take longer, in the whole browser.",
};

export const firefox: MachineProgram = {
  package: "firefox-esr",
  paths: ["/usr/bin/firefox-esr", "/usr/bin/firefox"],
  hint: "Install Firefox.",
};

export const webKitDriver: MachineProgram = {
  package: "webkit2gtk-driver",
  paths: ["/usr/bin/WebKitWebDriver"],
  hint: "Install the WebDriver of WebKitGTK.",
};

/** The small browser that WebKitGTK brings for its tests. */
export const miniBrowser: MachineProgram = {
  package: "libwebkit2gtk-4.1-0",
  paths: ["/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser"],
  hint: webKitDriver.hint,
};

/** A screen that nobody sees. */
export const xvfb: MachineProgram = { package: "xvfb", paths: ["/usr/bin/Xvfb"], hint: "Install Xvfb." };

export const postgres: MachineProgram = {
  package: "postgresql",
  paths: [
    "/usr/lib/postgresql/*/bin/postgres",
    "/opt/homebrew/opt/postgresql*/bin/postgres",
    "/usr/local/bin/postgres",
  ],
  hint: "Install PostgreSQL 15 or newer.",
};

export const docker: MachineProgram = {
  package: "docker.io",
  paths: ["/usr/bin/dockerd", "/usr/sbin/dockerd", "/usr/local/bin/dockerd"],
  hint: "The game servers are then tested against a made-up engine alone.",
};

export const busybox: MachineProgram = {
  package: "busybox-static",
  paths: ["/bin/busybox", "/usr/bin/busybox"],
  hint: docker.hint,
};

export const teeworlds: MachineProgram = {
  package: "teeworlds-server",
  paths: ["/usr/games/teeworlds-server"],
  hint: "No real game is then started by the tests.",
};

export const strace: MachineProgram = { package: "strace", paths: ["/usr/bin/strace"], hint: "Install strace." };

export const iptables: MachineProgram = {
  package: "iptables",
  paths: ["/usr/sbin/iptables"],
  hint: "Install iptables.",
};

export const faketime: MachineProgram = {
  package: "libfaketime",
  paths: ["/usr/lib/*/faketime/libfaketime.so.1"],
  hint: "Install libfaketime.",
};

export const caddy: MachineProgram = { package: "caddy", paths: ["/usr/bin/caddy"], hint: "Install Caddy." };

export const dockerCompose: MachineProgram = {
  package: "docker-compose",
  paths: ["/usr/bin/docker-compose", "/usr/local/bin/docker-compose"],
  hint: "Install Docker Compose.",
};

export const nginx: MachineProgram = { package: "nginx-light", paths: ["/usr/sbin/nginx"], hint: "Install nginx." };

export const systemd: MachineProgram = {
  package: "systemd",
  paths: ["/usr/bin/systemd-analyze"],
  hint: "Install systemd.",
};

/** The path of a program, installing it if need be; null where that fails, with the reason on stderr. */
export async function provide(program: MachineProgram): Promise<string | null> {
  return find(program) ?? (await install(program));
}

async function install(program: MachineProgram): Promise<string | null> {
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
  return find(program);
}

/** Where a program lies; throws where it is missing. */
export function requireProgram(program: MachineProgram): string {
  const path = find(program);
  if (path === null) throw new Error(`${program.package} is missing. ${program.hint}`);
  return path;
}

/** Where a program lies, null where it is missing; the newest version wins where several are installed. */
export function find(program: MachineProgram): string | null {
  const found = program.paths.filter(Boolean).flatMap((path) => globSync(path).toSorted().toReversed());
  return found[0] ?? null;
}
