import { expect, test } from "vitest";

import type { AuditAction, AuditDetails } from "#contract/audit.ts";
import { formatAuditText } from "./audit-rules.ts";

const lines: { [Action in AuditAction]: readonly [AuditDetails[Action], string] } = {
  "permissions-changed": [{ given: ["admin"], taken: [] }, "Rechte geändert: + Verwaltung."],
  "member-disabled": [{}, "Account gesperrt."],
  "member-enabled": [{}, "Account entsperrt."],
  "reset-link-made": [{}, "Link für ein neues Passwort erstellt."],
  "reset-link-revoked": [{}, "Link für ein neues Passwort zurückgezogen."],
  "reset-link-used": [{}, "Mit einem Link der Verwaltung ein neues Passwort gesetzt."],
  "account-deleted": [{}, "Account gelöscht."],
  "name-corrected": [{}, "Name berichtigt."],
  "picture-removed": [{}, "Profilbild entfernt."],
  "beers-taken-back": [{ count: 3 }, "3 Biere zurückgenommen."],
  "invitation-made": [
    { invitation: 4, permissions: ["admin"], days: 1, uses: 1 },
    "Einladung 4 erstellt (1 Tag, 1 Person, Verwaltung).",
  ],
  "invitation-used": [{ invitation: 4 }, "Mit Einladung 4 dazugekommen."],
  "invitation-revoked": [{ invitation: 4 }, "Einladung 4 zurückgezogen."],
  "registered-with-oidc": [{}, "Über den Anmeldedienst dazugekommen."],
  "game-server-added": [{ name: "Minecraft" }, "Game-Server „Minecraft“ angelegt."],
  "game-server-changed": [{ name: "Minecraft" }, "Game-Server „Minecraft“ geändert."],
  "game-server-enabled": [{ name: "Minecraft" }, "Game-Server „Minecraft“ freigegeben."],
  "game-servers-ordered": [{}, "Game-Server neu geordnet."],
  "game-server-removed": [{ name: "Minecraft" }, "Game-Server „Minecraft“ entfernt."],
  "calendar-imported": [{ year: 2026 }, "Adventskalender 2026 gefüllt."],
  "calendar-doors-dealt": [{ year: 2026, doors: 24 }, "24 Türchen für 2026 verlost."],
  "calendar-doors-redealt": [{ year: 2026, doors: 3, seed: "a" }, "3 Türchen für 2026 neu verlost."],
  "calendar-door-taken-over": [{ date: "2026-12-03" }, "Türchen vom 3. Dezember 2026 übernommen und gefüllt."],
  "calendar-picture-restored": [{ date: "2026-12-03" }, "Bild vom 3. Dezember 2026 wieder aufgehängt."],
  "calendar-picture-viewed": [{ date: "2026-12-03" }, "Bild für den 3. Dezember 2026 vor seinem Tag angesehen."],
  "calendar-door-taken-back": [{ date: "2026-12-03" }, "Türchen vom 3. Dezember 2026 wieder freigegeben."],
  "calendar-picture-hung": [{ date: "2026-12-03" }, "Bild für den 3. Dezember 2026 aufgehängt."],
  "calendar-picture-moved": [
    { date: "2026-12-03", to: "2026-12-24" },
    "Bilder vom 3. Dezember 2026 und vom 24. Dezember 2026 getauscht.",
  ],
  "calendar-picture-removed": [{ date: "2026-12-03" }, "Bild vom 3. Dezember 2026 abgenommen."],
  "calendar-surprise-switched": [{ isOn: false }, "Sieht jetzt, wem welches Türchen gehört."],
  "calendar-audio-changed": [{}, "Musik des Adventskalenders geändert."],
  "calendar-audio-removed": [{}, "Eigene Musik des Adventskalenders entfernt."],
  "release-check-switched": [{ isOn: true }, "Suche nach neuen Versionen eingeschaltet."],
  "group-changed": [{ fields: ["group_name", "legal_links"] }, "Geändert: Name der Gruppe, Links."],
  "party-renamed": [{ party: 7 }, "Party 7 umbenannt."],
  "party-ended": [{ party: 7 }, "Party 7 beendet."],
  "party-photos-switched": [{ party: 7 }, "Tischfotos der Party 7 umgeschaltet."],
  "party-deleted": [{ party: 7 }, "Party 7 gelöscht."],
  "party-guest-removed": [{ party: 7 }, "Gast der Party 7 entfernt."],
  "party-guest-answered": [{ party: 7 }, "Anfrage eines Gastes der Party 7 beantwortet."],
  "party-guest-link-switched": [{ party: 7 }, "QR-Code für Gäste der Party 7 an- oder ausgeschaltet."],
  "tv-link-made": [{ name: "Theke" }, "Link für den Fernseher „Theke“ erstellt."],
  "tv-paired": [{ name: "Theke" }, "Fernseher „Theke“ mit seinem Code verbunden."],
  "tv-link-revoked": [{ name: "Theke" }, "Link für den Fernseher „Theke“ zurückgezogen."],
  "beers-imported": [{ imported: 1 }, "1 Bier eingespielt."],
  "beers-recounted": [{}, "Alle Biere neu gezählt."],
  "webhook-created": [{ name: "Chat", host: "chat.example" }, "Webhook „Chat“ an chat.example angelegt."],
  "webhook-changed": [{ name: "Chat" }, "Webhook „Chat“ geändert."],
  "webhook-paused": [{ name: "Chat" }, "Webhook „Chat“ pausiert."],
  "webhook-resumed": [{ name: "Chat" }, "Webhook „Chat“ fortgesetzt."],
  "webhook-deleted": [{ name: "Chat" }, "Webhook „Chat“ entfernt."],
  "secret-rotated": [{ secret: "vapid" }, "Schlüssel der Benachrichtigungen erneuert."],
};

test.each(Object.entries(lines))("formatAuditText describes %s in a sentence", (action, [details, text]) => {
  expect(formatAuditText(action as AuditAction, details)).toBe(text);
});
