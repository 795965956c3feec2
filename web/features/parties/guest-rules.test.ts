import { expect, test } from "vitest";

import type { GuestScreen } from "#contract/guest-device.ts";
import type { OutboxEntry } from "#web/client/outbox-rules.ts";
import { applyOwnTotal, describeRefused, describeTable, describeWaiting } from "./guest-rules.ts";

const screen: GuestScreen = {
  party: { name: "Grillen", is_running: true, total: 12, guest_total: 3, members: ["Anna"] },
  name: "Mia",
  total: 2,
  undo_keys: ["first", "second"],
  request: null,
};
const entry = { id: "x", beer: "third", memberId: 0, postedAt: 0, isRefused: false, failures: 0 } as const;

test("a booked or undone beer of a guest changes the own number and the party's", () => {
  const drunk: OutboxEntry = { ...entry, endpoint: "drinkAsGuest" };
  expect(applyOwnTotal(screen, drunk, 3)).toMatchObject({
    total: 3,
    undo_keys: ["first", "second", "third"],
    party: { total: 13, guest_total: 4 },
  });
  const undone: OutboxEntry = { ...entry, beer: "second", endpoint: "undoAsGuest" };
  expect(applyOwnTotal(screen, undone, 1)).toMatchObject({
    total: 1,
    undo_keys: ["first"],
    party: { total: 11, guest_total: 2 },
  });
});

test("the texts of a guest name one beer and several", () => {
  expect([1, 2].map(describeWaiting)).toEqual([
    "1 Bier wartet auf Empfang. Lass die Seite offen!",
    "2 Biere warten auf Empfang. Lass die Seite offen!",
  ]);
  expect(describeRefused(1, null)).toBe("1 Bier zählt nicht. Die Party war schon vorbei.");
  expect(describeRefused(2, "Diesen Gast gibt es nicht mehr.")).toBe(
    "2 Biere zählen nicht. Diesen Gast gibt es nicht mehr.",
  );
  expect([[], ["Anna"], ["Anna", "Ben"]].map(describeTable)).toEqual([
    "Am Tisch: du.",
    "Am Tisch: du und Anna.",
    "Am Tisch: du, Anna und Ben.",
  ]);
});
