import type { AuditAction, AuditDetails } from "#contract/audit.ts";
import { permissionLabels } from "#contract/permission-labels.ts";

const auditTexts: { readonly [Action in AuditAction]: (details: AuditDetails[Action]) => string } = {
  "permissions-changed": ({ given, taken }) => {
    const changes = [...labelsOf(given).map((name) => `+ ${name}`), ...labelsOf(taken).map((name) => `− ${name}`)];
    return `Rechte geändert: ${changes.join(", ")}.`;
  },
  "member-disabled": () => "Account gesperrt.",
  "member-enabled": () => "Account entsperrt.",
  "reset-link-made": () => "Link für ein neues Passwort erstellt.",
  "reset-link-revoked": () => "Link für ein neues Passwort zurückgezogen.",
  "reset-link-used": () => "Mit einem Link der Verwaltung ein neues Passwort gesetzt.",
  "account-deleted": () => "Account gelöscht.",
  "name-corrected": () => "Name berichtigt.",
  "picture-removed": () => "Profilbild entfernt.",
  "beers-taken-back": ({ count }) => (count === 1 ? "1 Bier zurückgenommen." : `${count} Biere zurückgenommen.`),
  "invitation-made": ({ invitation, days, uses, permissions }) => {
    const terms = [
      days === 1 ? "1 Tag" : `${days} Tage`,
      uses === 1 ? "1 Person" : `${uses} Personen`,
      ...labelsOf(permissions),
    ];
    return `Einladung ${invitation} erstellt (${terms.join(", ")}).`;
  },
  "invitation-used": ({ invitation }) => `Mit Einladung ${invitation} dazugekommen.`,
  "invitation-revoked": ({ invitation }) => `Einladung ${invitation} zurückgezogen.`,
  "registered-with-oidc": () => "Über den Anmeldedienst dazugekommen.",
  "game-server-added": ({ name }) => `Game-Server „${name}“ angelegt.`,
  "game-server-changed": ({ name }) => `Game-Server „${name}“ geändert.`,
  "game-server-enabled": ({ name }) => `Game-Server „${name}“ freigegeben.`,
  "game-servers-ordered": () => "Game-Server neu geordnet.",
  "game-server-removed": ({ name }) => `Game-Server „${name}“ entfernt.`,
  "calendar-imported": ({ year }) => `Adventskalender ${year} gefüllt.`,
  "calendar-doors-dealt": ({ year, doors }) => `${doors} Türchen für ${year} verlost.`,
  "calendar-doors-redealt": ({ year, doors }) => `${doors} Türchen für ${year} neu verlost.`,
  "calendar-door-taken-back": ({ date }) => `Türchen vom ${formatDay(date)} wieder freigegeben.`,
  "calendar-door-taken-over": ({ date }) => `Türchen vom ${formatDay(date)} übernommen und gefüllt.`,
  "calendar-picture-hung": ({ date }) => `Bild für den ${formatDay(date)} aufgehängt.`,
  "calendar-picture-moved": ({ date, to }) => `Bilder vom ${formatDay(date)} und vom ${formatDay(to)} getauscht.`,
  "calendar-picture-removed": ({ date }) => `Bild vom ${formatDay(date)} abgenommen.`,
  "calendar-picture-restored": ({ date }) => `Bild vom ${formatDay(date)} wieder aufgehängt.`,
  "calendar-picture-viewed": ({ date }) => `Bild für den ${formatDay(date)} vor seinem Tag angesehen.`,
  "calendar-surprise-switched": ({ isOn }) =>
    isOn ? "Lässt sich von den Türchen wieder überraschen." : "Sieht jetzt, wem welches Türchen gehört.",
  "calendar-audio-changed": () => "Musik des Adventskalenders geändert.",
  "calendar-audio-removed": () => "Eigene Musik des Adventskalenders entfernt.",
  "group-changed": ({ fields }) => `Geändert: ${labelsOf(fields).join(", ")}.`,
  "release-check-switched": ({ isOn }) => `Suche nach neuen Versionen ${isOn ? "ein" : "aus"}geschaltet.`,
  "party-renamed": ({ party }) => `Party ${party} umbenannt.`,
  "party-ended": ({ party }) => `Party ${party} beendet.`,
  "party-photos-switched": ({ party }) => `Tischfotos der Party ${party} umgeschaltet.`,
  "party-deleted": ({ party }) => `Party ${party} gelöscht.`,
  "party-guest-removed": ({ party }) => `Gast der Party ${party} entfernt.`,
  "party-guest-answered": ({ party }) => `Anfrage eines Gastes der Party ${party} beantwortet.`,
  "party-guest-link-switched": ({ party }) => `QR-Code für Gäste der Party ${party} an- oder ausgeschaltet.`,
  "tv-link-made": ({ name }) => `Link für den Fernseher „${name}“ erstellt.`,
  "tv-paired": ({ name }) => `Fernseher „${name}“ mit seinem Code verbunden.`,
  "tv-link-revoked": ({ name }) => `Link für den Fernseher „${name}“ zurückgezogen.`,
  "tablet-paired": ({ name }) => `Zapfstelle „${name}“ verbunden.`,
  "tablet-revoked": ({ name }) => `Zapfstelle „${name}“ getrennt.`,
  "beers-imported": ({ imported }) => (imported === 1 ? "1 Bier eingespielt." : `${imported} Biere eingespielt.`),
  "beers-recounted": () => "Alle Biere neu gezählt.",
  "webhook-created": ({ name, host }) => `Webhook „${name}“ an ${host} angelegt.`,
  "webhook-changed": ({ name }) => `Webhook „${name}“ geändert.`,
  "webhook-paused": ({ name }) => `Webhook „${name}“ pausiert.`,
  "webhook-resumed": ({ name }) => `Webhook „${name}“ fortgesetzt.`,
  "webhook-deleted": ({ name }) => `Webhook „${name}“ entfernt.`,
  "secret-rotated": ({ secret }) => `${secretLabels[secret]} erneuert.`,
  "backup-downloaded": ({ withSecrets }) =>
    `Backup heruntergeladen${withSecrets ? ", mit Schlüsseln und Webhooks" : ""}.`,
};

const secretLabels = {
  appKey: "Schlüssel der Formulare",
  realtimeSecret: "Schlüssel der Live-Verbindungen",
  vapid: "Schlüssel der Benachrichtigungen",
} as const;

export function formatAuditText<Action extends AuditAction>(action: Action, details: AuditDetails[Action]): string {
  return auditTexts[action](details);
}

const fieldLabels = {
  ...permissionLabels,
  group_name: "Name der Gruppe",
  group_short: "Kürzel",
  legal_links: "Links",
} as const;

function labelsOf(list: readonly (keyof typeof fieldLabels)[]): string[] {
  return list.map((one) => fieldLabels[one]);
}

/** Formats `2026-12-03` as `3. Dezember 2026`; all calendar doors are in December. */
function formatDay(date: string): string {
  const [year, , day] = date.split("-");
  return `${Number(day)}. Dezember ${year}`;
}
