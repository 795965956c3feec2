import type { ComponentType } from "react";

/** The code of a page, fetched on first use. */
export interface PageCode {
  load(): Promise<ComponentType>;
  /** The fetched component; `undefined` before. */
  readonly loaded: ComponentType | undefined;
  /** Lets the next `load` retry after a failure. */
  reset(): void;
}

/** The code of a page could not be fetched: offline, or replaced by a newer version. */
export class PageLoadError extends Error {}

export function createPageCode(load: () => Promise<ComponentType>): PageCode {
  let loading: Promise<ComponentType> | undefined;
  let loaded: ComponentType | undefined;
  return {
    load() {
      loading ??= load().then(
        (page) => (loaded = page),
        (cause: unknown) => {
          throw new PageLoadError("A page could not be loaded.", { cause });
        },
      );
      return loading;
    },
    get loaded() {
      return loaded;
    },
    reset() {
      loading = undefined;
    },
  };
}
