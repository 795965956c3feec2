import { buildWeb } from "./prepare.js";

/** `npm run build`: builds the pages, stale or not. */
export function run(): number {
  buildWeb();
  return 0;
}
