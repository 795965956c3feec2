export { demoUsers } from "#server/features/demo/rules.ts";
