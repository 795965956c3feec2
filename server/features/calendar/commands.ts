import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { megabytes } from "#contract/sizes.ts";
import { type Command, CommandRefusedError, CommandUsageError } from "#server/platform/command.ts";
import type { PictureProblem } from "#server/platform/pictures/picture-worker.ts";
import { encodePicture, type EncodedPicture, importYear } from "./actions.ts";
import { setAudio } from "./music-actions.ts";
import { detectAudioType } from "./music-rules.ts";
import { calendarDays } from "./rules.ts";

const maxPictureBytes = megabytes(30);
const maxAudioBytes = megabytes(20);

const nothingImported = "Nothing was imported.";

export const commands: readonly Command[] = [
  {
    name: "calendar import",
    usage: "YEAR FOLDER",
    description: "imports the pictures 01.jpg … 24.png as the calendar of a year",
    argCount: { min: 2, max: 2 },
    async run({ db, say, clock, args: [yearText, folder] }) {
      const year = readYear(yearText!);
      const files = findPictures(folder!, calendarDays(year).length);
      const pictures: EncodedPicture[] = [];
      for (const file of files) {
        const picture = await encodePicture(readFile(file, maxPictureBytes));
        if (typeof picture === "string") {
          const problem = pictureProblems[picture];
          throw new CommandRefusedError(`${file} is not a usable picture (${problem}). ${nothingImported}`);
        }
        pictures.push(picture);
      }
      await importYear({ db, say }, year, pictures, { by: null, at: clock.now() });
      return { json: { year, days: pictures.length }, text: `${year}: ${pictures.length} doors filled` };
    },
  },
  {
    name: "calendar audio",
    usage: "FILE",
    description: "sets the music of the calendar page (MP3, M4A or Ogg)",
    argCount: { min: 1, max: 1 },
    async run({ db, say, clock, args: [file] }) {
      const bytes = readFile(file!, maxAudioBytes);
      if (detectAudioType(bytes) === null)
        throw new CommandRefusedError(`${file} is neither MP3 nor M4A nor Ogg. ${nothingImported}`);
      await setAudio({ db, say }, bytes, { by: null, at: clock.now() });
      return { json: { bytes: bytes.length }, text: `${bytes.length} bytes of music` };
    },
  },
];

const pictureProblems: Record<PictureProblem, string> = {
  type: "neither JPEG nor PNG",
  broken: "damaged, or too complex to decode",
  dimensions: "too many pixels",
};

function readYear(text: string): number {
  if (!/^2[01]\d\d$/.test(text)) throw new CommandUsageError("YEAR is a year from 2000 to 2199, such as 2026.");
  return Number(text);
}

/** Finds the files 01 to `count`, in order; refuses a missing or duplicate number. */
function findPictures(folder: string, count: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    throw new CommandRefusedError(`${folder} cannot be read. ${nothingImported}`);
  }
  const byDay = Array.from({ length: count }, (_, index) => {
    const day = String(index + 1).padStart(2, "0");
    return { day, found: names.filter((name) => new RegExp(`^${day}\\.(jpe?g|png)$`, "i").test(name)) };
  });
  const missing = byDay.filter(({ found }) => found.length === 0).map(({ day }) => day);
  if (missing.length > 0)
    throw new CommandRefusedError(`${folder} lacks ${missing.join(", ")} (.jpg or .png). ${nothingImported}`);
  const doubled = byDay.find(({ found }) => found.length > 1);
  if (doubled) throw new CommandRefusedError(`${folder} has both ${doubled.found.join(" and ")}. ${nothingImported}`);
  return byDay.map(({ found: [name] }) => join(folder, name!));
}

function readFile(file: string, largest: number): Buffer {
  try {
    if (statSync(file).size <= largest) return readFileSync(file);
  } catch {
    throw new CommandRefusedError(`${file} cannot be read. ${nothingImported}`);
  }
  throw new CommandRefusedError(`${file} is larger than ${largest / megabytes(1)} MB. ${nothingImported}`);
}
