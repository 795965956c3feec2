import type { Feature } from "./platform/pages.ts";

/** Each feature says in its own route.tsx which pages and links it has; the pages themselves load later. */
const features = Object.values(import.meta.glob<Feature>("./features/*/route.tsx", { eager: true, import: "feature" }));

export const routes = features.flatMap(({ pages = [] }) => pages);

/** What a member sees who opens a page without its permission. */
export const denied = features.find((feature) => feature.denied)!.denied!;

export const notFound = features.find((feature) => feature.notFound)!.notFound!;
