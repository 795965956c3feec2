import { getMemberAvatar } from "#contract/height-calculator.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refuse.ts";
import type { Platform } from "#server/platform/platform.ts";
import { findFace } from "./store.ts";

export function addHeightCalculatorRoutes({ door, db }: Platform): void {
  handle(door, getMemberAvatar, async ({ params }) => {
    const face = await findFace(db, Number(params.id));
    if (!face) throw refuse("M404");
    return face;
  });
}
