import { expect, test } from "vitest";

import { ApiError } from "#web/client/api.ts";
import { describeCount, uploadErrorText } from "./rules.ts";

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
