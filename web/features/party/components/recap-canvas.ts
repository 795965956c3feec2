import type { PartyRecap } from "#contract/party-recap.ts";
import { encodePng } from "#web/ui/canvas.ts";
import {
  drawCountedMat,
  drawCurve,
  drawMark,
  drawTexts,
  pictureColours,
  startPicture,
} from "#web/ui/picture-drawing.ts";
import { listCounts, listHourLabels } from "../recap-rules.ts";

interface RecapTexts {
  readonly group: string;
  readonly day: string;
  readonly name: string;
  readonly total: number;
  /** The beers of members and of guests in the total; `null` if it has none of guests. */
  readonly sum: string | null;
  readonly recap: PartyRecap;
  readonly lines: readonly string[];
  readonly timeZone: string;
}

/**
 * Draws the recap of a party as a PNG: its name, a beer mat with the total, the beers over time,
 * and the people.
 */
export async function drawRecap({ group, day, name, total, sum, recap, lines, timeZone }: RecapTexts): Promise<Blob> {
  const { cream, beer } = pictureColours;
  const { canvas, pen } = await startPicture(`${group}${name}${lines.join("")}`);
  const title = { text: name, size: 88, weight: 800, colour: cream };
  drawTexts(pen, [title, { text: `${group}, ${day}`, size: 46, weight: 650, colour: beer }], { last: 306 });
  drawCountedMat(pen, 800, { name: null, total, sum });
  const ticks = listHourLabels(recap, timeZone).map(({ quarter, text }) => ({ span: quarter, text }));
  drawCurve(pen, { top: 1275, height: 200, counts: listCounts(recap), ticks });
  const [people, names] = lines;
  const below = [{ text: people!, size: 58, weight: 700, colour: cream }];
  if (names !== undefined) below.push({ text: names, size: 46, weight: 650, colour: cream });
  drawTexts(pen, below, { first: names === undefined ? 1660 : 1610 });
  drawMark(pen, 1795);
  return encodePng(canvas);
}
