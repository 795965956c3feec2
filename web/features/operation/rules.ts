import type { BackupInterval } from "#contract/backups.ts";

/** A newer server may have further checks. */
export const checkLabels: Readonly<Record<string, string>> = {
  version: "Version",
  configuration: "Einstellungen",
  variables: "Namen der Variablen",
  node: "Node",
  clock: "Uhr",
  "time-zone": "Zeitzone",
  disk: "Platte",
  permissions: "Dateirechte",
  database: "Datenbank",
  schema: "Tabellen",
  counts: "Zähler",
  backups: "Backups",
  instances: "Instanzen",
  server: "Server",
  address: "Adresse",
  proxy: "Reverse-Proxy",
  sockets: "WebSockets",
  links: "Links",
  mail: "E-Mail",
  logins: "Anmeldung",
  oidc: "Anmeldedienst",
  push: "Push",
  engine: "Container",
};

export const intervalTexts: Readonly<Record<BackupInterval, string>> = {
  daily: "Der Server macht jede Nacht eins.",
  weekly: "Der Server macht jede Woche eins.",
  off: "Der Server macht keins von selbst (BACKUP_EVERY=off).",
};
