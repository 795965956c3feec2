import type { Feature } from "#web/platform/pages.ts";

import { Milestones } from "./components/milestones.tsx";

export const feature: Feature = {
  backgroundEffects: [{ name: "milestones", who: "member", Component: Milestones }],
};
