import { expect, test } from "vitest";

import { ApiError } from "#web/client/api.ts";
import type { OutboxEntry } from "#web/client/outbox-rules.ts";
import { describeCount, describeEndingLinks, describeUnsent, uploadErrorText } from "./rules.ts";

test.each([
  [0, "Noch keine Profilbilder hochgeladen."],
  [1, "1 von 20 Profilbildern"],
  [19, "19 von 20 Profilbildern"],
  [20, "Mehr als 20 Profilbilder gehen nicht. Lösche erst eins."],
])("describeCount(%i) returns “%s”", (pictures, words) => {
  expect(describeCount(pictures)).toBe(words);
});

test.each([
  [
    new ApiError(422, "Nein.", { avatar: ["Profilbild muss ein Bild sein.", "Und klein."] }),
    "Profilbild muss ein Bild sein.",
  ],
  [new ApiError(0, "Keine Verbindung."), "Keine Verbindung."],
  [new ApiError(408, "Zeitüberschreitung der Anfrage."), /zu langsam/],
  [new ApiError(503, "Gerade nicht."), "Es ist ein Fehler aufgetreten."],
  [new Error("The canvas is empty."), "Es ist ein Fehler aufgetreten."],
])("uploadErrorText explains an upload that failed with %s", (error, text) => {
  expect(uploadErrorText(error)).toMatch(text);
});

test.each([
  [0, 0, 0, 0, null],
  [1, 0, 0, 0, "Damit endet auch 1 Einladung von Ben."],
  [2, 0, 0, 0, "Damit enden auch 2 Einladungen von Ben."],
  [0, 1, 0, 0, "Damit endet auch 1 Fernseher-Link von Ben."],
  [0, 0, 1, 0, "Damit endet auch 1 Passwort-Link von Ben."],
  [2, 1, 0, 0, "Damit enden auch 2 Einladungen und 1 Fernseher-Link von Ben."],
  [1, 0, 1, 0, "Damit enden auch 1 Einladung und 1 Passwort-Link von Ben."],
  [1, 3, 2, 0, "Damit enden auch 1 Einladung, 3 Fernseher-Links und 2 Passwort-Links von Ben."],
  [0, 0, 0, 1, "Damit pausiert auch 1 Webhook von Ben."],
  [0, 0, 0, 2, "Damit pausieren auch 2 Webhooks von Ben."],
  [2, 1, 0, 1, "Damit enden auch 2 Einladungen und 1 Fernseher-Link von Ben, und 1 Webhook pausiert."],
  [1, 0, 0, 2, "Damit endet auch 1 Einladung von Ben, und 2 Webhooks pausieren."],
])(
  "describeEndingLinks describes %i invitations, %i TV links, %i reset links and %i webhooks as: %s",
  (invitations, tv_links, reset_links, webhooks, text) => {
    expect(describeEndingLinks({ invitations, tv_links, reset_links, webhooks }, "Ben")).toBe(text);
  },
);

const beer: OutboxEntry = {
  id: "key",
  endpoint: "drinkBeer",
  beer: "key",
  memberId: 1,
  postedAt: 0,
  isRefused: false,
  failures: 0,
};
const refusedBeer = { ...beer, isRefused: true };
const undo: OutboxEntry = { ...beer, endpoint: "undoTap" };

test.each([
  [[beer], "1 Bier wartet noch", "Noch nicht gebucht! Solange"],
  [[beer, refusedBeer, undo], "2 Biere warten noch", "Noch nicht gebucht! Solange"],
  [[refusedBeer], "1 Bier nicht gebucht", "Auf dem Counter steht, was du tun kannst."],
  [[undo], "1 Bier zählt noch", "Noch nicht rückgängig gemacht! Solange"],
  [[undo, undo], "2 Biere zählen noch", "Noch nicht rückgängig gemacht! Solange"],
] as const)("describeUnsent describes %o as “%s”", (entries, title, text) => {
  const described = describeUnsent(entries);
  expect([described.title, described.text.startsWith(text)]).toEqual([title, true]);
});
