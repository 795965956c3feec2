import { registerPush } from "./worker/push.ts";
import { registerShell } from "./worker/shell.ts";
import { registerTapSync } from "./worker/tap-sync.ts";

registerShell();
registerTapSync();
registerPush();
