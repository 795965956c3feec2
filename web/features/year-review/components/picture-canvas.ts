import type { GroupYear, OwnYear } from "#contract/year-review.ts";
import { encodePng } from "#web/ui/canvas.ts";
import { drawCountedMat, drawMark, drawTexts, pictureColours, startPicture } from "#web/ui/picture-drawing.ts";
import { groupPictureLines, pictureLines } from "../rules.ts";

export interface PictureWords {
  readonly year: number;
  readonly isFinal: boolean;
  readonly group: string;
  /** The data on the picture: the member's year or the group's year. */
  readonly shown:
    | {
        readonly own: OwnYear;
        /** Name of the member; `null` keeps the picture anonymous. */ readonly name: string | null;
      }
    | { readonly all: GroupYear };
}

/** Draws a year as a PNG: a beer mat with the total, and facts about the year below it. */
export async function drawPicture({ year, isFinal, group, shown }: PictureWords): Promise<Blob> {
  const name = "own" in shown ? shown.name : null;
  const { cream, beer } = pictureColours;
  const { canvas, pen } = await startPicture(`${group}${name}`);
  const head = [
    { text: group, size: 76, weight: 800, colour: cream },
    { text: `Jahresrückblick ${year}`, size: 50, weight: 650, colour: beer },
  ];
  if (!isFinal) head.push({ text: "bis heute", size: 40, weight: 600, colour: cream });
  drawTexts(pen, head, { last: isFinal ? 296 : 362 });
  drawCountedMat(pen, 850, { name, sum: null, total: "own" in shown ? shown.own.total : shown.all.total });
  const lines = "own" in shown ? pictureLines(shown.own) : groupPictureLines(shown.all);
  drawTexts(
    pen,
    lines.map((text) => ({ text, size: 58, weight: 700, colour: cream })),
    { first: 1480 },
  );
  drawMark(pen, 1740);
  return encodePng(canvas);
}
