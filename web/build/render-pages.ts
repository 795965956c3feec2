import { parentPort, workerData } from "node:worker_threads";

import type { RenderedPage } from "../../contract/built-pages.ts";

/**
 * Worker thread that sends the HTML rendered by web/placeholders.tsx. `workerData`: URL of that
 * file's build for Node.
 */
const placeholders = (await import(workerData as string)) as { renderPages(): Promise<RenderedPage[]> };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort!.postMessage(await placeholders.renderPages());
