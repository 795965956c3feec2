import { buildWeb } from "./prepare.js";

/** `npm run build`: builds the pages, even if they are current. */
export function run(): number {
  buildWeb();
  return 0;
}
