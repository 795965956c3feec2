import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";

const executable = join(import.meta.dirname, "../../bin/stammtisch");

/**
 * Imitates systemd in Perl: holds a listening socket as file descriptor 3, and passes it to two
 * servers, one after the other. Node cannot hold a listening socket without accepting connections.
 */
const holder = `
use IO::Socket::INET; use POSIX (); $^F = 9; $| = 1;
my $socket = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 64) or die $!;
POSIX::dup2(fileno($socket), 3); print $socket->sockport, "\\n";
for (1 .. 2) {
  my $child = fork();
  if (!$child) { @ENV{"LISTEN_PID", "LISTEN_FDS"} = ($$, 1); open(STDOUT, ">", "/dev/null"); exec(@ARGV) }
  print "$child\\n"; waitpid($child, 0); print $? >> 8, "\\n";
}`;

test("the server uses a socket that systemd holds, so a request during a restart waits for the next server", async () => {
  const dataDir = createTemporaryFolder();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: "1", LOG_LEVEL: "warn" };
  const systemd = spawn("perl", ["-e", holder, executable, "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(systemd.stdout)[Symbol.asyncIterator]();
  const nextNumber = async () => Number((await lines.next()).value);
  let running: number | undefined;
  try {
    const port = await nextNumber();
    const knock = async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
    running = await nextNumber();
    expect(await knock()).toBe(200);
    process.kill(running, "SIGTERM");
    expect(await nextNumber()).toBe(0);
    const early = knock();
    running = await nextNumber();
    expect(await early).toBe(200);
  } finally {
    systemd.kill("SIGKILL");
    if (running) process.kill(running, "SIGKILL");
  }
});
