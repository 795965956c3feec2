import type * as z from "zod/mini";

// These constants are not part of the objects below, so that pages that need only these texts do
// not load all the others.
export const unavailableText = "Der Dienst ist gerade nicht verfügbar. Bitte versuche es gleich nochmal.";
const requiredText = ":Attribute muss ausgefüllt werden.";
const confirmationDiffersText = ":Attribute stimmt nicht mit der Bestätigung überein.";

/** HTTP status and German text of every refusal, by code. */
export const refusals = {
  invalidRequest: { status: 400, text: "Die Anfrage ist ungültig." },
  notLoggedIn: { status: 401, text: "Nicht angemeldet." },
  /** The endpoint requires a scope that the API token does not have. */
  tokenNotPermitted: { status: 403, text: "Dieser API-Token darf das nicht." },
  tooManyTokens: { status: 422, text: "Mehr als zehn API-Tokens gehen nicht. Widerrufe zuerst einen anderen." },
  forbidden: { status: 403, text: "Diese Aktion ist nicht autorisiert." },
  /** A member opens a calendar door before its day. */
  calendarDoorClosed: { status: 403, text: "Dieses Türchen ist noch zu." },
  /** A member fills a calendar door that belongs to another member. */
  notYourDoor: { status: 403, text: "Das ist nicht dein Türchen." },
  /** A member fills an owned calendar door after its day has begun. */
  doorDayBegun: { status: 403, text: "Zu spät: Der Tag deines Türchens hat begonnen." },
  /** A member answers a swap offer that was withdrawn, or whose door has changed. */
  swapEnded: { status: 409, text: "Dieses Angebot gibt es nicht mehr." },
  swapWhileHidden: { status: 422, text: "Du bist unsichtbar. Ändere das unter „Mein Deckel“, bevor du tauschst." },
  /** The doors or members have changed since the preview of the lottery. */
  dealingPreviewOutdated: { status: 409, text: "Inzwischen hat sich etwas geändert. Schau dir die neue Vorschau an." },
  /** A member undoes a beer that was booked too long ago. */
  undoTooLate: { status: 403, text: "Zu spät: Ein Bier lässt sich nur 15 Minuten lang zurücknehmen." },
  /** A tablet undoes a beer that was tapped too long ago. */
  undoTooLateAtTablet: { status: 403, text: "Zu spät: Hier lässt sich ein Bier nur zehn Sekunden lang zurücknehmen." },
  /** A tablet books for a member who is no longer on it. */
  faceGone: { status: 422, text: "Dieses Gesicht gibt es hier nicht mehr." },
  notTappable: { status: 422, text: "Für dieses Mitglied kannst du nicht zapfen." },
  notFound: { status: 404, text: "Nicht gefunden." },
  methodNotAllowed: { status: 405, text: "Diese Methode ist nicht erlaubt." },
  requestTimeout: { status: 408, text: "Zeitüberschreitung der Anfrage." },
  gameServerBusy: { status: 409, text: "Der Server wird gerade umgeschaltet." },
  /** A member switches a game server of a restored backup before the operator has enabled it. */
  gameServerInactive: { status: 409, text: "Dieser Game-Server ist noch nicht freigegeben." },
  /**
   * Another request with the same Idempotency-Key is still being booked. The client should retry
   * shortly.
   */
  requestInFlight: { status: 409, text: "Diese Anfrage wird gerade bearbeitet." },
  /** Another file is being imported or checked. */
  importRunning: { status: 409, text: "Gerade wird schon eine Datei importiert. Versuche es gleich nochmal." },
  /** The administrator has closed the connection before the answer. */
  importAbandoned: { status: 409, text: "Der Import wurde abgebrochen. Nichts wurde gebucht." },
  /** The server stops while it books an import, and goes on after its next start. */
  importContinues: { status: 503, text: "Der Server startet neu. Der Import läuft danach von selbst weiter." },
  /**
   * An administrator changes a door whose picture or owner has changed since the page was loaded.
   */
  doorChanged: { status: 409, text: "Türchen :door hat sich gerade geändert. Sieh nach, was dort jetzt ist." },
  /**
   * A calendar door already has a picture, which neither a restored picture nor an upload without
   * the version of the door replaces.
   */
  doorFilled: { status: 409, text: "Hinter Türchen :door hängt schon ein Bild." },
  /**
   * An administrator uploads a picture for another member's door without confirming the take-over.
   */
  doorOwned: { status: 409, text: "Türchen :door gehört einem Mitglied und bleibt, wie es ist." },
  /** A picture cannot be restored: it was taken down too long ago, or the door has a new owner. */
  pictureGone: { status: 409, text: "Dieses Bild lässt sich nicht mehr aufhängen." },
  bodyTooLarge: { status: 413, text: "Die Anfrage ist zu groß." },
  urlTooLong: { status: 414, text: "Die Anfrage ist ungültig." },
  unsupportedMediaType: { status: 415, text: "Dieser Inhaltstyp wird nicht unterstützt." },
  rangeNotSatisfiable: { status: 416, text: "Die Anfrage ist ungültig." },
  csrfTokenMismatch: { status: 419, text: "Seite abgelaufen. Bitte lade die Seite neu." },
  misdirectedRequest: { status: 421, text: "Die Anfrage ist ungültig." },
  invalidFields: { status: 422, text: "Die Anfrage ist ungültig." },
  cannotDisableYourself: { status: 422, text: "Deinen eigenen Account kannst du nicht sperren." },
  lastAdministrator: { status: 422, text: "Das geht nicht: Dann hätte niemand mehr die Verwaltung." },
  accountDisabled: { status: 422, text: "Dieser Account ist gesperrt. Entsperre ihn zuerst." },
  passkeyRejected: {
    status: 422,
    text: "Dieser Passkey passt hier nicht, oder es hat zu lange gedauert. Versuche es nochmal.",
  },
  tooManyPasskeys: { status: 422, text: "Mehr als zehn Passkeys gehen nicht. Entferne zuerst einen anderen." },
  tooManyWebhooks: { status: 422, text: "Mehr als zehn Webhooks gehen nicht. Entferne zuerst einen anderen." },
  lastPasskey: {
    status: 422,
    text: "Das ist dein letzter Passkey, und die Verwaltung verlangt einen. Leg zuerst einen anderen an.",
  },
  /** The operator has switched off logins with a password or passkey (PASSWORD_LOGIN=0). */
  passwordLoginDisabled: { status: 403, text: "Hier meldest du dich nur über den Anmeldedienst an." },
  oidcExpired: {
    status: 422,
    text: "Diese Anmeldung ist abgelaufen oder begann in einem anderen Browser. Versuche es nochmal.",
  },
  /**
   * The OpenID provider refused the login, the member cancelled it, or the provider's answer is not
   * valid.
   */
  oidcRejected: { status: 422, text: "Der Anmeldedienst hat dich nicht angemeldet. Versuche es nochmal." },
  oidcGroupMissing: { status: 422, text: "Du gehörst nicht zu den erlaubten Gruppen." },
  oidcUnknown: {
    status: 422,
    text: "Zu dieser Anmeldung gibt es hier keinen Account. Öffne deine Einladung, oder verbinde sie in deinem Profil.",
  },
  oidcAccountDisabled: { status: 422, text: "Dein Account ist gesperrt." },
  oidcIdentityTaken: { status: 422, text: "Diese Anmeldung gehört schon zu einem anderen Account." },
  oidcAlreadyLinked: { status: 422, text: "Dein Account ist schon verbunden." },
  /** A member confirms with another identity than the one linked with the account. */
  oidcWrongIdentity: { status: 422, text: "Das war nicht die Anmeldung, die mit deinem Account verbunden ist." },
  /** A member removes the last passkey or identity of an account without a password. */
  onlyLogin: {
    status: 422,
    text: "Anders kämst du nicht mehr rein. Lege zuerst ein Passwort oder einen Passkey an.",
  },
  partyEnded: { status: 422, text: "Diese Party ist schon vorbei." },
  tooManyParties: { status: 422, text: "Mehr als fünf Partys auf einmal gehen nicht. Beende zuerst eine andere." },
  notYourGuest: { status: 403, text: "Für einen Gast zählt nur, wer ihn dazugeholt hat." },
  notAtParty: { status: 403, text: "Gäste bringt nur mit, wer selbst dabei ist." },
  guestGone: { status: 422, text: "Diesen Gast gibt es nicht mehr." },
  /** The party's QR code was switched off, renewed, or the party is over. */
  guestLinkInvalid: { status: 422, text: "Dieser QR-Code gilt nicht mehr. Frag am Tisch nach einem neuen." },
  tooManyGuestBeers: { status: 422, text: "Mehr als 200 Striche an einem Abend gehen nicht." },
  /** A guest asks to become a member during the party, or a second time after a no. */
  cannotAsk: { status: 422, text: "Das geht erst nach der Party, und nur einmal." },
  tooManyGuests: { status: 422, text: "Mehr als 30 Gäste gehen nicht." },
  /**
   * The operator has set ADMIN_PASSKEY=1, and the administrator has used no passkey in this session
   * within the last three hours.
   */
  passkeyRequired: { status: 423, text: "Bitte bestätige mit deinem Passkey." },
  passwordRequired: { status: 423, text: "Bitte bestätige dein aktuelles Passwort." },
  tooManyRequests: { status: 429, text: "Zu viele Anfragen. Versuche es bitte in :seconds Sekunden nochmal." },
  headersTooLarge: { status: 431, text: "Die Anfrage ist ungültig." },
  internalError: { status: 500, text: "Interner Fehler." },
  /** The driver of the game server does not answer. */
  gameServerDriverUnavailable: { status: 503, text: "Die Game-Server-Steuerung ist gerade nicht erreichbar." },
  /** The driver answered, but could not start the game server. */
  gameServerStartFailed: { status: 503, text: "Start fehlgeschlagen." },
  /** The OpenID provider does not answer, or its answer violates the standard. */
  oidcUnavailable: { status: 503, text: "Der Anmeldedienst ist gerade nicht erreichbar." },
  unavailable: { status: 503, text: unavailableText },
  /** The backup could not be written, e.g. on a full disk. */
  backupFailed: { status: 503, text: "Das Backup hat nicht geklappt. Der Grund steht unter „Technik“." },
} as const;
export type RefusalCode = keyof typeof refusals;

/**
 * German texts about a form field. `:Attribute` is the field's label at the start of a sentence,
 * `:attribute` inside one.
 */
export const fieldTexts = {
  required: requiredText,
  notAString: ":Attribute muss ein String sein.",
  tooShort: ":Attribute muss mindestens :min Zeichen lang sein.",
  tooLong: ":Attribute darf maximal :max Zeichen haben.",
  outOfRange: ":Attribute muss zwischen :min und :max liegen.",
  notAnEmailAddress: ":Attribute muss eine gültige E-Mail-Adresse sein.",
  taken: ":Attribute ist bereits vergeben.",
  confirmationDiffers: confirmationDiffersText,
  invalid: "Der gewählte Wert für :attribute ist ungültig.",
  agreementMissing: "Ohne Einverständnis geht es nicht.",
  guestNameTaken: "Ein Gast mit diesem Namen ist schon dabei.",
  tooOld: "Es ist älter als eine Woche.",
  notAWebhookUrl: ":Attribute muss eine Adresse sein, die mit https:// beginnt, ohne Benutzernamen und Passwort.",
  noMatrixRoom: "Der Adresse fehlt am Ende der Raum, wie in …/rooms/!raum:matrix.example.",
  noNtfyTopic: "Der Adresse fehlt am Ende das Thema, wie in https://ntfy.sh/unser-stammtisch.",
  invalidCharacters: ":Attribute darf nur aus Buchstaben, Zahlen, Punkten, Binde- und Unterstrichen bestehen.",
  mixedScripts: ":Attribute darf nicht Buchstaben verschiedener Schriften mischen.",
  leaked: ":Attribute wurde in einem Datenleck gefunden. Bitte wähle ein anderes :attribute.",
  guessable: ":Attribute ist zu leicht zu erraten.",
  notAnImage: ":Attribute muss ein Bild sein.",
  wrongImageType: ":Attribute muss den Dateityp jpg, jpeg, png haben.",
  unknownContainer: "Einen Container mit diesem Namen gibt es nicht.",
  wrongAudioType: ":Attribute muss MP3, M4A oder Ogg sein.",
  wrongDimensions: ":Attribute hat ungültige Bildabmessungen.",
  fileTooLarge: ":Attribute darf maximal :max MB groß sein.",
  fileTooLargeInKilobytes: ":Attribute darf maximal :max Kilobytes groß sein.",
  uploadFailed: ":Attribute konnte nicht hochgeladen werden.",
  wrongCode: "Dieser Code stimmt nicht oder ist abgelaufen.",
  codeUsed: "Mit diesem Code ist schon ein Gerät verbunden.",
  tooManyWrongCodes: "Zu viele falsche Codes. Versuche es bitte in :seconds Sekunden nochmal.",
  notAPin: "Eine PIN hat genau vier Ziffern.",
  wrongPin: "Diese PIN stimmt nicht.",
  tooManyWrongPins: "Zu viele falsche PINs. Versuche es bitte in :seconds Sekunden nochmal.",
  importRefused: "Die Datei lässt sich so nicht importieren. Nichts wurde gebucht.",
  wrongCredentials: "Diese Kombination aus Zugangsdaten wurde nicht in unserer Datenbank gefunden.",
  tooManyLoginAttempts: "Zu viele Loginversuche. Versuche es bitte in :seconds Sekunden nochmal.",
  invalidInvitation: "Anmelde-Token ist ungültig oder abgelaufen.",
  invalidResetLink: "Der Passwort-Wiederherstellungsschlüssel ist ungültig oder abgelaufen.",
  wrongPassword: "Das Passwort ist falsch.",
  wrongUname: "Das ist nicht dein Benutzername.",
  tooManyChanges: ":Attribute lässt sich höchstens :max Mal am Tag ändern.",
  tooManyPictures: "Profilbild-Limit erreicht (:max).",
} as const;
export type FieldText = keyof typeof fieldTexts;

/**
 * A problem of a form field: the key of its German text, and the numbers to insert into that text.
 */
export interface FieldProblem {
  readonly text: FieldText;
  readonly min?: number;
  readonly max?: number;
  readonly seconds?: number;
}

/** Problems by field name. */
export type FieldProblems = Readonly<Record<string, readonly FieldProblem[]>>;

/** German sentences by field name. */
export type FieldErrors = Record<string, string[]>;

/**
 * The body of every error reply. Clients distinguish refusals by `code` and show `message`.
 * `errors` is present only for 422 and throttled logins, `requestId` only for 5xx.
 */
export interface ErrorBody {
  message: string;
  code: RefusalCode;
  errors?: FieldErrors;
  requestId?: string;
}

/** Returns the German sentence for an empty field. */
export function formatMissing(label: string): string {
  return requiredText.replace(":Attribute", label);
}

/** Returns the German sentence for a field that differs from its confirmation. */
export function formatDiffering(label: string): string {
  return confirmationDiffersText.replace(":Attribute", label);
}

/** Returns the German sentence for a field's problem, e.g. "Name muss ausgefüllt werden." */
export function formatProblem({ text, min, max, seconds }: FieldProblem, label: string): string {
  return fieldTexts[text]
    .replaceAll(/:attribute/gi, label)
    .replace(":min", String(min))
    .replace(":max", String(max))
    .replace(":seconds", String(seconds));
}

/**
 * Returns the German sentences of each field without repetitions. A field without a label appears
 * under its name.
 */
export function formatProblems(problems: FieldProblems, labels: Readonly<Record<string, string>>): FieldErrors {
  const sentences = Object.entries(problems).map(([field, list]): [string, string[]] => {
    const texts = list.map((problem) => formatProblem(problem, labels[field] ?? field));
    return [field, [...new Set(texts)]];
  });
  return Object.fromEntries(sentences);
}

/** Returns the first sentence and the number of further ones, in the German wording of Laravel. */
export function summarize(errors: FieldErrors): string {
  const texts = Object.values(errors).flat();
  const more = texts.length - 1;
  const [first = refusals.invalidFields.text] = texts;
  if (more < 1) return first;
  return more === 1 ? `${first} (und 1 weiterer Fehler)` : `${first} (und ${more} weitere Fehler)`;
}

/**
 * Converts the issues of a failed parse to problems by field. The key `body` means the whole body.
 */
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
      if (issue.input === undefined || issue.input === null) return { text: "required" };
      return { text: issue.expected === "string" ? "notAString" : "invalid" };
    case "too_small":
      return issue.minimum === 1 ? { text: "required" } : { text: "tooShort", min: Number(issue.minimum) };
    case "too_big":
      return { text: "tooLong", max: Number(issue.maximum) };
    default:
      return { text: "invalid" };
  }
}

function isFieldText(message: string): message is FieldText {
  return Object.hasOwn(fieldTexts, message);
}
