import type * as z from "zod/mini";

// What pages say by themselves stands alone, so that the other texts need not be sent to browsers.
export const unavailableText = "Der Dienst ist gerade nicht verfügbar. Bitte versuche es gleich nochmal.";
/** Pages tell by it that only a passkey answers this 423, and not the password. */
export const passkeyNeededText = "Bitte bestätige mit deinem Passkey.";
const requiredText = ":Attribute muss ausgefüllt werden.";

/** Every refusal this program knows: its status and its German text. */
export const refusals = {
  M400: { status: 400, text: "Die Anfrage ist ungültig." },
  M401: { status: 401, text: "Nicht angemeldet." },
  M403: { status: 403, text: "Diese Aktion ist nicht autorisiert." },
  /** A door of the Christmas calendar before its day. */
  M403door: { status: 403, text: "Dieses Türchen ist noch zu." },
  /** Filling a door that is not one's own, whatever it is. */
  M403own: { status: 403, text: "Das ist nicht dein Türchen." },
  /** Filling one's own door once its day has begun. */
  M403begun: { status: 403, text: "Zu spät: Der Tag deines Türchens hat begonnen." },
  /** A swap of calendar doors that was withdrawn, or whose door has changed. */
  swapEnded: { status: 409, text: "Dieses Angebot gibt es nicht mehr." },
  swapWhilePaused: { status: 422, text: "Du machst Pause. Beende sie, bevor du tauschst." },
  /** The doors or the members have changed since the preview. */
  dealingPreviewOutdated: { status: 409, text: "Inzwischen hat sich etwas geändert. Schau dir die neue Vorschau an." },
  /** A beer that was booked too long ago to be taken back. */
  M403undo: { status: 403, text: "Zu spät: Ein Bier lässt sich nur 15 Minuten lang zurücknehmen." },
  M404: { status: 404, text: "Nicht gefunden." },
  M405: { status: 405, text: "Diese Methode ist nicht erlaubt." },
  M408: { status: 408, text: "Zeitüberschreitung der Anfrage." },
  M409: { status: 409, text: "Der Server wird gerade umgeschaltet." },
  /** The game server is inactive since a restore. */
  M409inactive: { status: 409, text: "Dieser Game-Server ist noch nicht freigegeben." },
  /** The same Idempotency-Key is being booked right now; repeat in a moment. */
  M409key: { status: 409, text: "Diese Anfrage wird gerade bearbeitet." },
  /** An administrator's page shows another picture or owner of the calendar door than it has now. */
  M409door: { status: 409, text: "Türchen :door hat sich gerade geändert. Sieh nach, was dort jetzt ist." },
  /** A picture for a calendar door that has one, from a page that does not say which one it replaces. */
  M409filled: { status: 409, text: "Hinter Türchen :door hängt schon ein Bild." },
  /** A picture for another member's calendar door, without the confirmation that takes it over. */
  M409owned: { status: 409, text: "Türchen :door gehört einem Mitglied und bleibt, wie es ist." },
  /** A picture that was taken down too long ago, or from a door that has another owner now. */
  M409gone: { status: 409, text: "Dieses Bild lässt sich nicht mehr aufhängen." },
  M413: { status: 413, text: "Die Anfrage ist zu groß." },
  M414: { status: 414, text: "Die Anfrage ist ungültig." },
  M415: { status: 415, text: "Dieser Inhaltstyp wird nicht unterstützt." },
  M416: { status: 416, text: "Die Anfrage ist ungültig." },
  M419: { status: 419, text: "Seite abgelaufen. Bitte lade die Seite neu." },
  M421: { status: 421, text: "Die Anfrage ist ungültig." },
  M422: { status: 422, text: "Die Anfrage ist ungültig." },
  M422self: { status: 422, text: "Deinen eigenen Account kannst du nicht sperren." },
  M422admin: { status: 422, text: "Das geht nicht: Dann hätte niemand mehr die Verwaltung." },
  M422disabled: { status: 422, text: "Dieser Account ist gesperrt. Entsperre ihn zuerst." },
  M422passkey: {
    status: 422,
    text: "Dieser Passkey passt hier nicht, oder es hat zu lange gedauert. Versuche es nochmal.",
  },
  M422passkeys: { status: 422, text: "Mehr als zehn Passkeys gehen nicht. Entferne zuerst einen anderen." },
  M422lastpasskey: {
    status: 422,
    text: "Das ist dein letzter Passkey, und die Verwaltung verlangt einen. Leg zuerst einen anderen an.",
  },
  M422party: { status: 422, text: "Diese Party ist schon vorbei." },
  M422parties: { status: 422, text: "Mehr als fünf Partys auf einmal gehen nicht. Beende zuerst eine andere." },
  M403guest: { status: 403, text: "Für einen Gast zählt nur, wer ihn dazugeholt hat." },
  M403guests: { status: 403, text: "Gäste bringt nur mit, wer selbst dabei ist." },
  M422guest: { status: 422, text: "Diesen Gast gibt es nicht mehr." },
  M422guests: { status: 422, text: "Mehr als 30 Gäste gehen nicht." },
  /** The admin area, where it demands a passkey. */
  M423passkey: { status: 423, text: passkeyNeededText },
  M423: { status: 423, text: "Bitte bestätige dein aktuelles Passwort." },
  /** More codes of televisions than anybody can enter. */
  M429codes: {
    status: 429,
    text: "Zu viele Fernseher warten gerade auf ihre Verbindung. Versuche es bitte gleich nochmal.",
  },
  M429: { status: 429, text: "Zu viele Anfragen. Versuche es bitte in :seconds Sekunden nochmal." },
  M431: { status: 431, text: "Die Anfrage ist ungültig." },
  M500: { status: 500, text: "Interner Fehler." },
  /** No driver of game servers answers. */
  M503engine: { status: 503, text: "Die Game-Server-Steuerung ist gerade nicht erreichbar." },
  /** The driver has answered, but could not start the game server. */
  M503start: { status: 503, text: "Start fehlgeschlagen." },
  M503: { status: 503, text: unavailableText },
} as const;
export type RefusalCode = keyof typeof refusals;

/** Texts at a field. `:Attribute` stands at the start of a sentence, `:attribute` inside one. */
export const fieldTexts = {
  "V-req": requiredText,
  "V-str": ":Attribute muss ein String sein.",
  "V-min": ":Attribute muss mindestens :min Zeichen lang sein.",
  "V-max": ":Attribute darf maximal :max Zeichen haben.",
  "V-between": ":Attribute muss zwischen :min und :max liegen.",
  "V-mail": ":Attribute muss eine gültige E-Mail-Adresse sein.",
  "V-uniq": ":Attribute ist bereits vergeben.",
  "V-conf": ":Attribute stimmt nicht mit der Bestätigung überein.",
  "V-in": "Der gewählte Wert für :attribute ist ungültig.",
  "V-agreed": "Ohne Einverständnis geht es nicht.",
  "V-guest": "Ein Gast mit diesem Namen ist schon dabei.",
  "V-age": "Es ist älter als eine Woche.",
  "V-dash": ":Attribute darf nur aus Buchstaben, Zahlen, Punkten, Binde- und Unterstrichen bestehen.",
  "V-script": ":Attribute darf nicht Buchstaben verschiedener Schriften mischen.",
  "V-leak": ":Attribute wurde in einem Datenleck gefunden. Bitte wähle ein anderes :attribute.",
  "V-guess": ":Attribute ist zu leicht zu erraten.",
  "V-img": ":Attribute muss ein Bild sein.",
  "V-mime": ":Attribute muss den Dateityp jpg, jpeg, png haben.",
  "V-container": "Einen Container mit diesem Namen gibt es nicht.",
  "V-sound": ":Attribute muss MP3, M4A oder Ogg sein.",
  "V-dim": ":Attribute hat ungültige Bildabmessungen.",
  "V-kb": ":Attribute darf maximal :max Kilobytes groß sein.",
  "V-up": ":Attribute konnte nicht hochgeladen werden.",
  "V-code": "Dieser Code stimmt nicht oder ist abgelaufen.",
  "V-codeused": "Mit diesem Code ist schon ein Fernseher verbunden.",
  "L-codes": "Zu viele falsche Codes. Versuche es bitte in :seconds Sekunden nochmal.",
  "V-file": "Die Datei lässt sich so nicht importieren. Nichts wurde gebucht.",
  "L-fail": "Diese Kombination aus Zugangsdaten wurde nicht in unserer Datenbank gefunden.",
  "L-thr": "Zu viele Loginversuche. Versuche es bitte in :seconds Sekunden nochmal.",
  "L-token": "Anmelde-Token ist ungültig oder abgelaufen.",
  "L-reset": "Der Passwort-Wiederherstellungsschlüssel ist ungültig oder abgelaufen.",
  "L-password": "Das Passwort ist falsch.",
  "L-uname": "Das ist nicht dein Benutzername.",
  "L-changes": ":Attribute lässt sich höchstens :max Mal am Tag ändern.",
  "L-pictures": "Profilbild-Limit erreicht (:max).",
} as const;
export type FieldText = keyof typeof fieldTexts;

/** What is wrong with a field: a text, and the numbers that stand in it. */
export interface FieldProblem {
  readonly text: FieldText;
  readonly min?: number;
  readonly max?: number;
  readonly seconds?: number;
}

/** What is wrong, by field. */
export type FieldProblems = Readonly<Record<string, readonly FieldProblem[]>>;

/** German sentences by field. */
export type FieldErrors = Record<string, string[]>;

/** The body of every error answer. `errors` only for 422 and the throttled login, `requestId` only for 5xx. */
export interface ErrorBody {
  message: string;
  errors?: FieldErrors;
  requestId?: string;
}

/** The German sentence about a field without a value. */
export function formatMissing(label: string): string {
  return requiredText.replace(":Attribute", label);
}

/** The German sentence about a field, e.g. "Name muss ausgefüllt werden." */
export function formatProblem({ text, min, max, seconds }: FieldProblem, label: string): string {
  return fieldTexts[text]
    .replaceAll(/:attribute/gi, label)
    .replace(":min", String(min))
    .replace(":max", String(max))
    .replace(":seconds", String(seconds));
}

/** The sentences about all fields, none of them twice; a field without a label is called by its name. */
export function formatProblems(problems: FieldProblems, labels: Readonly<Record<string, string>>): FieldErrors {
  const sentences = Object.entries(problems).map(([field, list]): [string, string[]] => {
    const texts = list.map((problem) => formatProblem(problem, labels[field] ?? field));
    return [field, [...new Set(texts)]];
  });
  return Object.fromEntries(sentences);
}

/** The first text, and how many more there are, in the words of Laravel. */
export function summarize(errors: FieldErrors): string {
  const texts = Object.values(errors).flat();
  const more = texts.length - 1;
  const [first = refusals.M422.text] = texts;
  if (more < 1) return first;
  return more === 1 ? `${first} (und 1 weiterer Fehler)` : `${first} (und ${more} weitere Fehler)`;
}

/** The problems of a failed parse by field; `body` stands for the whole. */
export function toFieldProblems(issues: readonly z.core.$ZodIssue[]): FieldProblems {
  const problems: Record<string, FieldProblem[]> = {};
  for (const issue of issues) {
    const field = String(issue.path[0] ?? "body");
    (problems[field] ??= []).push(toProblem(issue));
  }
  return problems;
}

function toProblem(issue: z.core.$ZodIssue): FieldProblem {
  if (isFieldText(issue.message)) {
    const limits = "params" in issue ? (issue.params as { min?: number; max?: number } | undefined) : undefined;
    return { text: issue.message, ...limits };
  }
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null) return { text: "V-req" };
      return { text: issue.expected === "string" ? "V-str" : "V-in" };
    case "too_small":
      return issue.minimum === 1 ? { text: "V-req" } : { text: "V-min", min: Number(issue.minimum) };
    case "too_big":
      return { text: "V-max", max: Number(issue.maximum) };
    default:
      return { text: "V-in" };
  }
}

function isFieldText(message: string): message is FieldText {
  return Object.hasOwn(fieldTexts, message);
}
