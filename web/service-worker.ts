import { keepShell } from "./worker/shell.ts";

keepShell();
