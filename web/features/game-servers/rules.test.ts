import { describe, expect, test } from "vitest";

import { type GameServer, toPhase } from "#contract/game-servers.ts";
import {
  autoStopText,
  describeLastChange,
  formatPlayers,
  formatStartFailure,
  formatPhase,
  moveItem,
  stopWarning,
  toSwitchButton,
} from "./rules.ts";

const now = Date.parse("2026-11-20T20:28:00Z");
const anna = { name: "Anna", avatarId: null, is_former: false };

function serverWith(differences: Partial<GameServer> = {}): GameServer {
  return {
    id: 1,
    display_name: "Minecraft",
    state: { Status: "running", Running: true },
    is_missing: false,
    is_active: true,
    start_failure: null,
    address: null,
    join_url: null,
    players: null,
    is_queryable: true,
    changed_by: anna,
    changed_at: new Date(now - 2 * 3_600_000).toISOString(),
    auto_stop_at: null,
    ...differences,
  };
}

test.each([
  [null, "unreachable", "Fehler", null, false],
  [{ Status: "created", Running: false }, "stopped", "starten", 1, false],
  [{ Status: "exited", Running: false }, "stopped", "starten", 1, false],
  [{ Status: "starting", Running: false }, "starting", "starten", 1, true],
  [{ Status: "starting", Running: true }, "starting", "herunterfahren", 2, false],
  [{ Status: "running", Running: true }, "running", "herunterfahren", 2, false],
  [{ Status: "stopping", Running: true }, "stopping", "herunterfahren", 2, true],
  [{ Status: "restarting", Running: true }, "restarting", "herunterfahren", 2, false],
  [{ Status: "paused", Running: true }, "paused", "herunterfahren", 2, false],
  [{ Status: "dead", Running: false }, "crashed", "starten", 1, false],
  [{ Status: "a word of tomorrow", Running: true }, "running", "herunterfahren", 2, false],
  [{ Status: "a word of tomorrow", Running: false }, "stopped", "starten", 1, false],
] as const)("a game server in state %j is %s and its button says “%s”", (state, phase, label, sends, isChanging) => {
  expect(toPhase({ state, is_missing: false })).toBe(phase);
  expect(toSwitchButton({ state, is_missing: false, is_active: true })).toEqual({ label, state: sends, isChanging });
});

describe("formatPlayers and stopWarning", () => {
  test.each([
    [null, "Wer spielt: unbekannt", null],
    [{ online: 0, max: 20, names: [] }, "Niemand spielt gerade.", null],
    [{ online: 1, max: 20, names: ["Ben"] }, "1 von 20 spielt: Ben", "1 spielt gerade: Ben."],
    [
      { online: 3, max: null, names: ["Anna", "Ben", "Carla"] },
      "3 spielen: Anna, Ben, Carla",
      "3 spielen gerade: Anna, Ben, Carla.",
    ],
    [{ online: 4, max: 8, names: [] }, "4 von 8 spielen", "4 spielen gerade."],
    [{ online: 5, max: 8, names: ["Anna"] }, "5 von 8 spielen: Anna und noch 4", "5 spielen gerade: Anna und noch 4."],
    [{ online: 2, max: 8, names: ["Anna"] }, "2 von 8 spielen: Anna und noch 1", "2 spielen gerade: Anna und noch 1."],
  ])("formatPlayers describes the players %j as “%s”", (players, words, question) => {
    expect(formatPlayers({ players, is_queryable: true })).toBe(words);
    expect(stopWarning(players)).toBe(question);
  });
});

test("formatPlayers returns null for a game that cannot be queried for its players", () => {
  expect(formatPlayers({ players: null, is_queryable: false })).toBeNull();
});

test("formatPhase distinguishes missing, unreachable, stopped and inactive game servers", () => {
  const active = { is_active: true, is_missing: false };
  expect(formatPhase({ ...active, state: null, is_missing: true })).toBe("Nicht eingerichtet");
  expect(formatPhase({ ...active, state: null })).toBe("Gerade nicht erreichbar");
  expect(formatPhase({ ...active, state: { Status: "exited", Running: false } })).toBe("Aus");
  expect(formatPhase({ ...active, state: null, is_active: false })).toBe("Noch nicht freigegeben");
});

test("formatStartFailure returns the reason, the program's last line for administrators, and the time", () => {
  const text = "Start fehlgeschlagen: Minecraft meldet beim Start einen Fehler.";
  const failedWith = (detail: string | null) =>
    serverWith({ start_failure: { text, detail, at: new Date(now - 5 * 60_000).toISOString() } });
  expect(formatStartFailure(failedWith(null), now)).toBe(`${text} (vor 5 Min.)`);
  expect(formatStartFailure(failedWith("exit 1"), now)).toBe(`${text} Letzte Meldung: exit 1 (vor 5 Min.)`);
  expect(formatStartFailure(serverWith(), now)).toBeNull();
});

test("describeLastChange names a deleted member as a former member without a picture", () => {
  const left = { name: "Ehemaliges Mitglied", avatarId: null, is_former: true };
  expect(describeLastChange(serverWith({ changed_by: left }), now)).toEqual({
    text: "gestartet von einem ehemaligen Mitglied, vor 2 Std.",
    by: null,
  });
});

describe("describeLastChange", () => {
  const off = { Status: "exited", Running: false };
  test.each([
    ["gestartet von Anna, vor 2 Std.", serverWith()],
    ["heruntergefahren von Anna, vor 2 Std.", serverWith({ state: off })],
    ["heruntergefahren von Anna, vor 2 Std.", serverWith({ state: { Status: "stopping", Running: true } })],
    ["gestartet vor 2 Std.", serverWith({ changed_by: null })],
    ["gestoppt vor 2 Std.", serverWith({ changed_by: null, state: off })],
    ["abgestürzt vor 2 Std.", serverWith({ state: { Status: "dead", Running: false } })],
  ])("describeLastChange returns “%s”", (words, server) => expect(describeLastChange(server, now)?.text).toBe(words));

  test("describeLastChange returns null if the time or the state of a game server is unknown", () => {
    expect(describeLastChange(serverWith({ changed_at: null }), now)).toBeNull();
    expect(describeLastChange(serverWith({ state: null }), now)).toBeNull();
  });
});

test.each([
  [12 * 60_000, "Stoppt von selbst um 21:40 Uhr, in 12 Min."],
  [119_000, "Stoppt von selbst um 21:29 Uhr, in 119 Sek."],
  [1, "Stoppt von selbst um 21:28 Uhr, in 1 Sek."],
  [-5000, "Stoppt von selbst um 21:27 Uhr, also gleich."],
])("autoStopText called %i ms before the automatic stop returns “%s”", (left, words) => {
  expect(autoStopText(now + left, now, "Europe/Berlin")).toBe(words);
});

test("moveItem swaps an item with its neighbor, and does not move the first item up or the last item down", () => {
  expect(moveItem(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
  expect(moveItem(["a", "b", "c"], 1, 1)).toEqual(["a", "c", "b"]);
  expect(moveItem(["a", "b", "c"], 0, -1)).toEqual(["a", "b", "c"]);
  expect(moveItem(["a", "b", "c"], 2, 1)).toEqual(["a", "b", "c"]);
});
