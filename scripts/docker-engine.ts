import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { runToEnd, start } from "./child-processes.ts";

/**
 * A Docker Engine for tests. It has a separate data folder and does not change the machine's
 * network.
 */
export interface DockerEngine {
  readonly url: string;
  /** Calls the engine's HTTP API. Returns the status and the body as text. */
  request(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>;
  /**
   * Kills the engine with SIGKILL and waits until its process has ended. The containers keep
   * running.
   */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Name of the only image in the engine. It contains busybox with a shell. */
export const image = "localhost/bb:1";

/**
 * Starts the Docker Engine with the program `dockerd`, and creates an image from a statically
 * linked `busybox`. Needs root.
 */
export async function startDockerEngine(dockerd: string, busybox: string): Promise<DockerEngine> {
  const folder = mkdtempSync(join(tmpdir(), "dockerd-"));
  const socket = join(folder, "docker.sock");
  const args = [
    `--data-root=${join(folder, "data")}`,
    `--exec-root=${join(folder, "exec")}`,
    `--pidfile=${join(folder, "pid")}`,
    `--host=unix://${socket}`,
    "--bridge=none",
    "--iptables=false",
    "--ip6tables=false",
    "--ip-forward=false",
    "--live-restore",
    "--log-level=error",
  ];
  let daemon = start(dockerd, args);

  const ask: DockerEngine["request"] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": body instanceof Buffer ? "application/x-tar" : "application/json" };
      const sent = request({ socketPath: socket, method, path: `/v1.41${path}`, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end(body instanceof Buffer ? body : body && JSON.stringify(body));
    });

  async function untilAnswering(): Promise<void> {
    let log = "";
    daemon.stderr?.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
    daemon.stdout?.resume();
    for (let attempt = 0; (await ask("GET", "/_ping").catch(() => null))?.status !== 200; attempt += 1) {
      if (attempt > 2400 || daemon.exitCode !== null) throw new Error(`dockerd did not start:\n${log}`);
      await sleep(50);
    }
  }

  /**
   * Ends the engine and its containerd, whose process and pid file would prevent the next start of
   * the engine.
   */
  async function end(signal: NodeJS.Signals): Promise<void> {
    const isOver = daemon.exitCode !== null || daemon.signalCode !== null;
    const over = new Promise((resolve) => void daemon.once("exit", resolve));
    daemon.kill(signal);
    if (!isOver) await over;
    await endContainerd(join(folder, "exec/containerd/containerd.pid"));
    rmSync(join(folder, "pid"), { force: true });
  }

  await untilAnswering();
  await ask("POST", "/images/create?fromSrc=-&repo=localhost/bb&tag=1", await rootFileSystem(folder, busybox));

  return {
    url: `unix://${socket}`,
    request: ask,
    kill: () => end("SIGKILL"),
    async restart() {
      daemon = start(dockerd, args);
      await untilAnswering();
    },
    async stop() {
      const { text } = await ask("GET", "/containers/json?all=true");
      for (const { Id } of JSON.parse(text) as { Id: string }[]) await ask("DELETE", `/containers/${Id}?force=true`);
      await end("SIGTERM");
      for (const mount of mountsUnder(folder)) await runToEnd("umount", [mount]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a tar archive that contains busybox with a shell, as the file system of an image. */
async function rootFileSystem(folder: string, busybox: string): Promise<Buffer> {
  const root = join(folder, "root");
  const archive = join(folder, "root.tar");
  mkdirSync(join(root, "bin"), { recursive: true });
  copyFileSync(busybox, join(root, "bin/busybox"));
  chmodSync(join(root, "bin/busybox"), 0o755);
  for (const name of ["sh", "sleep", "seq"]) symlinkSync("busybox", join(root, "bin", name));
  const { code, output } = await runToEnd("tar", ["-C", root, "-cf", archive, "."]);
  if (code !== 0) throw new Error(`tar failed:\n${output}`);
  return readFileSync(archive);
}

async function endContainerd(pidFile: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8"));
  try {
    process.kill(pid, "SIGTERM");
    for (let attempt = 0; attempt < 100; attempt += 1) {
      process.kill(pid, 0);
      await sleep(50);
    }
  } catch {
    // process.kill() throws once the process has ended.
  }
  rmSync(pidFile, { force: true });
}

/**
 * Returns the mount points below a folder, deepest first. A killed dockerd may leave shared memory
 * of its containers mounted.
 */
function mountsUnder(folder: string): string[] {
  const mounts = readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "");
  return mounts.filter((mount) => mount.startsWith(folder)).toReversed();
}
