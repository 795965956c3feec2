import { describe, expect, test } from "vitest";

import { formatProblems, toFieldProblems } from "#contract/errors.ts";
import { labelsOf } from "#contract/labels.ts";
import { register } from "#contract/registration.ts";
import { checkPassword } from "./rules.ts";

const form = {
  token: "token",
  uname: "frieda",
  name: "Frieda Sommer",
  email: "frieda@stammtisch.example",
  password: "Zapfhahn-im-Keller-3",
};

/**
 * Validates one field of the registration form. Returns its error messages, or the stored value if
 * it is valid.
 */
function check(field: keyof typeof form, value: unknown): { sentences: string[]; stored?: unknown } {
  const parsed = register.body.safeParse({ ...form, [field]: value }, { reportInput: true });
  if (parsed.success) return { sentences: [], stored: parsed.data[field] };
  const errors = formatProblems(toFieldProblems(parsed.error.issues), labelsOf(register));
  expect(Object.keys(errors)).toEqual([field]);
  return { sentences: errors[field]! };
}

describe("user names", () => {
  const forbidden = "Benutzername darf nur aus Buchstaben, Zahlen, Punkten, Binde- und Unterstrichen bestehen.";

  test.each<[string, string]>([
    ["a zero-width space", "ad\u200bmin"],
    ["a zero-width joiner", "ad\u200dmin"],
    ["a soft hyphen", "ad\u00admin"],
    ["a variation selector", "admin\ufe0f"],
    ["an invisible mark that joins letters", "ad\u034fmin"],
    ["an invisible letter", "김\u3164"],
    ["text that runs backwards", "\u202enimda"],
    ["a NUL", "admin\u0000x"],
    ["a line break", "ad\nmin"],
    ["a blank inside", "ad min"],
    ["an emoji", "prost🍺"],
    ["HTML", "<b>admin</b>"],
    ["a path", "../admin"],
  ])("a user name with %s is refused", (_, uname) => {
    expect(check("uname", uname).sentences).toEqual([forbidden]);
  });

  test.each<[string, string]>([
    ["a Cyrillic letter among Latin ones", "аdmin"],
    ["a Greek letter among Latin ones", "αdmin"],
    ["a mathematical letter", "𝐚dmin"],
    ["Latin and Chinese", "李anna"],
    ["Japanese and Korean", "ひろ민준"],
  ])("a user name with %s is refused, because letters of different scripts look alike", (_, uname) => {
    expect(check("uname", uname).sentences).toEqual([
      "Benutzername darf nicht Buchstaben verschiedener Schriften mischen.",
    ]);
  });

  test.each([
    "алексей_1",
    "Ναυσικά",
    "李雷",
    "山田はな子",
    "김민준",
    "अनुष्का",
    "محمد",
    "שרה",
    "ไพลิน",
    "Đặng-Thị.9",
    "2026",
  ])("a user name in a single script is accepted: %s", (uname) => {
    expect(check("uname", ` ${uname}`)).toEqual({ sentences: [], stored: uname.normalize("NFC") });
  });

  test.each<[string, string[]]>([
    ["a", ["Benutzername muss mindestens 2 Zeichen lang sein."]],
    ["äö", []],
    ["x".repeat(64), []],
    ["x".repeat(65), ["Benutzername darf maximal 64 Zeichen haben."]],
    ["über-9.000_ß", []],
  ])("a user name must have 2 to 64 characters (name %s, errors %j)", (uname, sentences) => {
    expect(check("uname", uname).sentences).toEqual(sentences);
  });
});

describe("display names", () => {
  test.each<[string, string]>([
    ["text that runs backwards", "Anna\u202ebew"],
    ["a character that isolates the text direction", "Anna\u2067x"],
    ["a NUL", "Anna\u0000"],
    ["a line break inside", "Anna\nBen"],
    ["a line separator", "Anna\u2028Ben"],
    ["a zero-width space", "An\u200bna"],
    ["a byte order mark inside", "An\ufeffna"],
    ["more than 64 characters", "x".repeat(65)],
    ["nothing but blanks", " \u3000\t"],
    ["nothing but an invisible letter", "\u3164"],
    ["nothing but joiners and variation selectors", "\u200d \ufe0f"],
    ["nothing but an empty Braille pattern", "\u2800"],
  ])("a display name with %s is refused", (_, name) => {
    expect(check("name", name).sentences).toHaveLength(1);
  });

  test.each([
    "David von der Heide-Sonnenschein",
    "<b>Ben</b>",
    "Zoë 🍺",
    "Ağça",
    "李雷",
    "O'Neil & Söhne",
    "👨‍👩‍👧",
    "Anna ❤️",
  ])("a display name is stored unchanged except for surrounding blanks: %s", (name) => {
    expect(check("name", `  ${name} `)).toEqual({ sentences: [], stored: name.normalize("NFC") });
  });
});

describe("email addresses", () => {
  test.each<[string, unknown]>([
    ["that is missing", undefined],
    ["that is null", null],
    ["that is empty", ""],
    ["without a domain", "niemand@"],
    ["without an @", "niemand"],
    ["with two addresses", "a@stammtisch.example,b@stammtisch.example"],
    ["with two addresses and a semicolon", "a@stammtisch.example;b@stammtisch.example"],
    ["with two addresses and a blank", "a@stammtisch.example b@stammtisch.example"],
    ["with two addresses on two lines", "a@stammtisch.example\nb@stammtisch.example"],
    ["followed by a header", "a@stammtisch.example\r\nBcc: b@stammtisch.example"],
    ["followed by an encoded line break", "anna%0d%0a@stammtisch.example@"],
    ["with two @", "anna@stammtisch.example@evil.example"],
    ["with a name in front", '"a@x" <b@stammtisch.example>'],
    ["in angle brackets", "<anna@stammtisch.example>"],
    ["with umlauts", "ännä@stammtisch.example"],
    ["in a list", ["a@stammtisch.example"]],
    ["in a list of two", ["a@stammtisch.example", "evil@evil.example"]],
    ["that is an object", { $ne: "x" }],
    ["that is a number", 7],
    ["that is a boolean", true],
    ["of more than 254 characters", `${"x".repeat(243)}@example.com`],
    ["with a local part of 250 characters", `${"a".repeat(250)}@x.example`],
    ["with a blank inside", "a b@stammtisch.example"],
  ])("an email address %s is refused", (_, email) => {
    expect(check("email", email).sentences).toHaveLength(1);
  });
});

describe("new passwords", () => {
  /**
   * Returns the error messages for a password: those of the registration form, or otherwise those
   * of checkPassword().
   */
  function sentencesFor(password: unknown): string[] {
    const { sentences, stored } = check("password", password);
    if (sentences.length > 0) return sentences;
    const context = { ...form, groupName: "Stammtisch", groupShort: "KSK" };
    const problems = { password: checkPassword(stored as string, 8, context) };
    return formatProblems(problems, labelsOf(register))["password"]!;
  }

  test.each<[string, string]>([
    ["of eight characters", "zwölf-öl"],
    ["of eight characters with a blank", "8 Zeichn"],
    ["with blanks in front and behind", "  Bier um Vier  "],
    ["that is a sentence", "ein ganzer Satz mit Leerzeichen "],
    ["of emoji", "🍺🍻🥨🌭🍺🍻🥨🥂"],
    ["of the same emoji", "🍺🍺🍻🍺🍺🍺🥨🍺"],
    ["of 256 characters", "Zapf hahn".repeat(29).slice(0, 256)],
    ["of 256 wide characters", "🍺🥨".repeat(128)],
    ["that repeats itself", "x9".repeat(128)],
    ["in another script", "пивоварня"],
  ])("a password %s is accepted", (_, password) => {
    expect(sentencesFor(password)).toEqual([]);
  });

  const tooShort = "Passwort muss mindestens 8 Zeichen lang sein.";
  const leaked = "Passwort wurde in einem Datenleck gefunden. Bitte wähle ein anderes Passwort.";
  const guessable = "Passwort ist zu leicht zu erraten.";

  test.each<[string, unknown, string]>([
    ["of seven characters", "kurz-öl", tooShort],
    ["of seven characters made of eight code points", "kurz-o\u0308l", tooShort],
    ["of 257 characters", "Zapf hahn".repeat(29).slice(0, 257), "Passwort darf maximal 256 Zeichen haben."],
    ["that is missing", undefined, "Passwort muss ausgefüllt werden."],
    ["that is empty", "", "Passwort muss ausgefüllt werden."],
    ["that is a number", 12_345_678, "Passwort muss ein String sein."],
    ["that is a list", ["Zapfhahn-im-Keller"], "Passwort muss ein String sein."],
    ["of one character", "zzzzzzzzzz", guessable],
    ["that counts up", "abcdefghijklmnop", guessable],
    ["that counts down", "zyxwvutsrq", guessable],
    ["that is the product's name", "Stammtisch!1", guessable],
    ["with the member's own name", "friedasommer1", guessable],
    ["that repeats the member's user name", "friedafrieda!", guessable],
    ["that is often guessed", "password", leaked],
    ["that is often guessed, in capitals", "PASSWORD", leaked],
    ["that is often guessed, with a digit", "passw0rd", leaked],
    ["of consecutive digits", "12345678", leaked],
    ["of neighbouring keys", "qwertyuiop", leaked],
    ["in mixed case", "IloveYou", leaked],
    ["that is a word", "sunshine", leaked],
    ["that is a sport", "baseball", leaked],
  ])("a password %s is refused", (_, password, sentence) => {
    expect(sentencesFor(password)).toEqual([sentence]);
  });
});

describe("checkPassword", () => {
  const context = {
    uname: "bob",
    name: "Bob von Stein",
    email: "robert@stammtisch.example",
    groupName: "Zechbrüder",
    groupShort: "KSK",
  };

  test.each<[string, boolean]>([
    ["bobbobbob1", false],
    ["robert2026", true],
    ["robert9z", false],
    ["bob-robert-stein", false],
    ["Zechbrüder!", false],
    ["ＺＥＣＨＢＲÜＤＥＲ", false],
    ["kskkskksk", false],
    ["ksk-trinkt-um-acht", true],
    ["stein-reich", true],
  ])(
    "checkPassword judges %s without the names of the member and the group, and accepts the rest: %s",
    (password, isGood) => {
      expect(checkPassword(password, 8, context)).toEqual(isGood ? [] : [{ text: "guessable" }]);
    },
  );

  test("checkPassword enforces the minimum length that the operator configured", () => {
    expect(checkPassword("Zapf-hahn-9", 15, context)).toEqual([{ text: "tooShort", min: 15 }]);
  });
});
