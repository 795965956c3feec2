import type { WebhookEvent, WebhookFormat } from "#contract/webhooks.ts";

export const formatLabels: Record<WebhookFormat, string> = {
  json: "Eigenes Programm",
  discord: "Discord",
  ntfy: "ntfy",
  gotify: "Gotify",
  matrix: "Matrix",
};

export const eventLabels: Record<WebhookEvent, string> = {
  beers: "Biere",
  milestone: "Runde Zahlen",
  party: "Partys",
  "game-server": "Game-Server",
  "calendar-door": "Türchen",
};

export const eventHints: Record<WebhookEvent, string> = {
  beers: "Eine Zusammenfassung je Viertelstunde.",
  milestone: "Das 100. Bier der Gruppe, das 50. von Anna.",
  party: "Beginn, und Ende von Hand.",
  "game-server": "Gestartet, gestoppt, abgestürzt.",
  "calendar-door": "Wer ein Türchen zuerst geöffnet hat, ohne das Bild.",
};

interface FormatGuide {
  readonly urlHint: string;
  readonly urlPlaceholder: string;
  /** `null` without a token. */
  readonly tokenLabel: string | null;
  readonly isTokenRequired: boolean;
}

export const formatGuides: Record<WebhookFormat, FormatGuide> = {
  json: {
    urlHint: "Bekommt JSON per POST, signiert nach „Standard Webhooks“.",
    urlPlaceholder: "https://…",
    tokenLabel: null,
    isTokenRequired: false,
  },
  discord: {
    urlHint: "In Discord: Kanal bearbeiten → Integrationen → Webhooks → URL kopieren.",
    urlPlaceholder: "https://discord.com/api/webhooks/…",
    tokenLabel: null,
    isTokenRequired: false,
  },
  ntfy: {
    urlHint: "Die Adresse des Themas.",
    urlPlaceholder: "https://ntfy.sh/unser-stammtisch",
    tokenLabel: "Zugangstoken, falls das Thema geschützt ist",
    isTokenRequired: false,
  },
  gotify: {
    urlHint: "Die Adresse des Servers, ohne /message.",
    urlPlaceholder: "https://gotify.example",
    tokenLabel: "Token der Anwendung",
    isTokenRequired: true,
  },
  matrix: {
    urlHint: "Die Adresse des Raums in der Client-Server-API.",
    urlPlaceholder: "https://matrix.example/_matrix/client/v3/rooms/!raum:matrix.example",
    tokenLabel: "Zugangstoken des Bots",
    isTokenRequired: true,
  },
};
