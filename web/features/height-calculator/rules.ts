/** Feet per centimetre. */
const feetPerCentimetre = 0.0328084;

/**
 * Texts of the result dialog: the height in meters and in feet, and a remark if the height is
 * impossible.
 */
export interface HeightTexts {
  readonly metres: string;
  readonly feet: string;
  /** Empty if the height is possible. */
  readonly remark: string;
}

/** Returns the texts about a height in centimeters, which is at least 0. */
export function describeHeight(centimetres: number): HeightTexts {
  return {
    metres: `Du bist ${twoDecimals(centimetres / 100)} m groß!`,
    feet: `(Good to know: In Amerika sind das ${twoDecimals(centimetres * feetPerCentimetre)} Fuß.)`,
    remark: findRemark(centimetres),
  };
}

function twoDecimals(number: number): string {
  return number.toLocaleString("de-DE", { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
}

function findRemark(centimetres: number): string {
  if (centimetres === 0) return "Bist du überhaupt da? Stell dich mal gerade hin.";
  if (centimetres < 10) return "Dann reicht dir ein Fingerhut als Maßkrug.";
  if (centimetres < 50) return "Damit passt du bequem in einen Bierkasten.";
  if (centimetres < 100) return "Der Stammtisch besorgt dir einen Kinderstuhl.";
  if (centimetres > 20_000) return "Grüß die Satelliten von uns.";
  if (centimetres > 300) return "Pass am Türrahmen auf. Und am Kirchturm.";
  if (centimetres > 230) return "Bring bitte die Deckenlampe wieder mit runter.";
  return "";
}

/**
 * Returns the message shown after the dialog is closed. `name` is the member who asked for this
 * page.
 */
export function thanksText(name: string): string {
  return `Diese Funktion wurde angefragt von ${name} ...`;
}
