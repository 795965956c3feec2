import { showPushes } from "./worker/push.ts";
import { keepShell } from "./worker/shell.ts";

keepShell();
showPushes();
