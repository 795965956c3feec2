import { defineFeature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";

export const demoFeature = defineFeature({ name: "demo", commands });
