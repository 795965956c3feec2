import { createStore, useStore } from "./store.ts";

/** The browser's own question, as Chromium hands it out; other browsers have none. */
interface InstallQuestion extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

const question = createStore<InstallQuestion | null>(null);
const standalone = "(display-mode: standalone)";
const isApp = createStore(runsAsApp());

/** Keeps the browser's question for whoever asks to install, instead of letting it pop up. Called once, at the start. */
export function followInstallQuestion(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    question.set(event as InstallQuestion);
  });
  addEventListener("appinstalled", () => question.set(null));
  matchMedia(standalone).addEventListener("change", () => isApp.set(runsAsApp()));
}

/** Whether this window is the installed app. */
export function useIsInstalled(): boolean {
  return useStore(isApp);
}

/** Whether the browser can be told to ask. */
export function useMayAskToInstall(): boolean {
  return useStore(question) !== null;
}

/** Opens the browser's question; resolves to whether the app is being installed. It can be asked once per start. */
export async function askToInstall(): Promise<boolean> {
  const asking = question.get();
  question.set(null);
  return (await asking?.prompt())?.outcome === "accepted";
}

function runsAsApp(): boolean {
  // Safari on phones does not know the media query everywhere.
  return matchMedia(standalone).matches || (navigator as { standalone?: boolean }).standalone === true;
}
