export { cast } from "#server/features/demo/rules.ts";
