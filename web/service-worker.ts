import { showPushes } from "./worker/push.ts";
import { keepShell } from "./worker/shell.ts";
import { sendTapsLater } from "./worker/taps.ts";

keepShell();
sendTapsLater();
showPushes();
