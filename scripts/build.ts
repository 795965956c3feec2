import { buildWeb } from "./prepare.js";

/** `npm run build`: builds the pages, even if the existing build is up to date. */
export function run(): number {
  buildWeb();
  return 0;
}
