import { feature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";

export const demo = feature({ name: "demo", commands });
