import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { createTarget, startTarget, stopTarget, watchTargets } from "#test/driver-watch.ts";
import { EngineRefusedError, EngineUnreachableError } from "./driver.ts";
import { createUnitDriver } from "./unit.ts";

let folder: string;
beforeEach(() => void (folder = createTemporaryFolder()));

/** A fake systemctl, with the state of each unit in a file. */
const systemctl = `cd "$(dirname "$0")"
for unit; do :; done
echo "$*" >> calls
case "$1" in
  show) [ -e "$unit" ] && cat "$unit" || printf 'LoadState=not-found\\nActiveState=inactive\\n' ;;
  start) [ -e "$unit" ] || exit 5; [ ! -e refuse ] || { echo "Access denied" >&2; exit 4; }
    printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\n' > "$unit" ;;
  stop) [ -e "$unit" ] || exit 5; printf 'LoadState=loaded\\nActiveState=inactive\\nSubState=dead\\n' > "$unit" ;;
esac`;

test("the unit driver translates the states of systemd units into statuses", async () => {
  const driver = createUnitDriver(script("systemctl", systemctl));
  const ran = "ExecMainStartTimestampMonotonic=5000000";
  const states: [shown: string, expected: object][] = [
    ["ActiveState=inactive\nSubState=dead", { isAlive: false, status: "created", exitCode: null, startedAt: null }],
    [
      `ActiveState=inactive\nSubState=dead\n${ran}\nExecMainCode=1\nExecMainStatus=0`,
      { status: "exited", exitCode: 0 },
    ],
    ["ActiveState=activating\nSubState=start\nType=notify", { isAlive: true, status: "starting", isReady: false }],
    [`ActiveState=active\nSubState=running\nType=notify\n${ran}`, { isAlive: true, status: "running", isReady: true }],
    ["ActiveState=active\nSubState=running\nType=simple", { isAlive: true, status: "running", isReady: null }],
    ["ActiveState=deactivating\nSubState=stop-sigterm", { isAlive: true, status: "stopping", isReady: null }],
    ["ActiveState=activating\nSubState=auto-restart", { isAlive: true, status: "restarting" }],
    [
      `ActiveState=failed\nSubState=failed\nResult=timeout\n${ran}\nExecMainCode=2\nExecMainStatus=9`,
      { isAlive: false, status: "exited", exitCode: 137, isOutOfMemory: false },
    ],
    [`ActiveState=failed\nResult=oom-kill\n${ran}\nExecMainCode=2\nExecMainStatus=9`, { isOutOfMemory: true }],
    [`ActiveState=failed\nResult=exit-code\n${ran}\nExecMainCode=1\nExecMainStatus=3`, { exitCode: 3 }],
  ];
  for (const [shown, expected] of states) {
    writeFileSync(join(folder, "anna.service"), `LoadState=loaded\n${shown}\n`);
    expect(await driver.inspect(createTarget("anna")), shown).toMatchObject({ kind: "found", ...expected });
  }
  writeFileSync(join(folder, "anna.service"), "LoadState=masked\nActiveState=inactive\n");
  expect(await driver.inspect(createTarget("anna"))).toEqual({ kind: "missing" });
});

test("the unit driver starts and stops a unit, and notices changes made outside of the app", async () => {
  const driver = createUnitDriver(script("systemctl", systemctl));
  writeFileSync(join(folder, "anna@1.service"), "LoadState=loaded\nActiveState=inactive\nSubState=dead\n");
  const anna = createTarget("anna@1.service");
  await startTarget(driver, anna);
  expect(await driver.inspect(anna)).toMatchObject({ isAlive: true, status: "running" });
  const { changes, end } = watchTargets(driver, [anna.ref]);
  await expect.poll(() => changes.splice(0)).toEqual([[0]]);
  await stopTarget(driver, anna);
  await expect.poll(() => changes).toEqual([[0]]);
  end();
  expect(await driver.inspect(anna)).toMatchObject({ isAlive: false, status: "created" });

  writeFileSync(join(folder, "refuse"), "");
  const refused = startTarget(driver, anna);
  await expect(refused).rejects.toBeInstanceOf(EngineRefusedError);
  await expect(refused).rejects.toMatchObject({ reason: "refused", detail: "Access denied" });
});

test("an unknown systemd unit is reported as missing, and the unit driver never passes an invalid name to systemctl", async () => {
  const driver = createUnitDriver(script("systemctl", systemctl));
  expect(await driver.inspect(createTarget("nobody"))).toEqual({ kind: "missing" });
  await expect(startTarget(driver, createTarget("nobody"))).rejects.toBeInstanceOf(EngineRefusedError);
  const asked = readFileSync(join(folder, "calls"), "utf8");
  for (const ref of [
    "--now",
    "-H root@host",
    "a b",
    "*.service",
    "../a",
    "reboot.target",
    "dbus.socket",
    "a;b",
    "a\nb",
    "",
  ]) {
    expect(await driver.inspect(createTarget(ref)), ref).toEqual({ kind: "missing" });
    await expect(startTarget(driver, createTarget(ref)), ref).rejects.toBeInstanceOf(EngineRefusedError);
    await expect(stopTarget(driver, createTarget(ref)), ref).rejects.toBeInstanceOf(EngineRefusedError);
  }
  expect(readFileSync(join(folder, "calls"), "utf8")).toBe(asked);
});

test("the unit driver reports every unit as unreachable on a machine without systemd", async () => {
  const texts = ["exit 1", 'echo "System has not been booted with systemd as init system (PID 1)." >&2; exit 1'];
  for (const text of texts)
    expect(await createUnitDriver(script("systemctl", text)).inspect(createTarget("anna"))).toEqual({
      kind: "unreachable",
    });
  expect(await createUnitDriver("/nowhere/systemctl").inspect(createTarget("anna"))).toEqual({ kind: "unreachable" });
  const away = createUnitDriver(script("systemctl", texts[1]!));
  await expect(startTarget(away, createTarget("anna"))).rejects.toBeInstanceOf(EngineUnreachableError);
  await expect(stopTarget(away, createTarget("anna"))).rejects.toBeInstanceOf(EngineUnreachableError);
});

function script(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}
