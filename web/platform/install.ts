import { createStore, useStore } from "./store.ts";

/** The browser's own question, as Chromium hands it out; other browsers have none. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

const installPrompt = createStore<BeforeInstallPromptEvent | null>(null);
const standalone = "(display-mode: standalone)";
const isInstalled = createStore(isStandalone());

/** Keeps the browser's install prompt for our own button instead of letting it pop up. Called once, at the start. */
export function trackInstallPrompt(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt.set(event as BeforeInstallPromptEvent);
  });
  addEventListener("appinstalled", () => installPrompt.set(null));
  matchMedia(standalone).addEventListener("change", () => isInstalled.set(isStandalone()));
}

/** Whether this window is the installed app. */
export function useIsInstalled(): boolean {
  return useStore(isInstalled);
}

/** Whether the browser lets us open its install prompt. */
export function useCanInstall(): boolean {
  return useStore(installPrompt) !== null;
}

/** Opens the browser's question; resolves to whether the app is being installed. It can be asked once per start. */
export async function promptInstall(): Promise<boolean> {
  const asking = installPrompt.get();
  installPrompt.set(null);
  return (await asking?.prompt())?.outcome === "accepted";
}

function isStandalone(): boolean {
  // Safari on phones does not know the media query everywhere.
  return matchMedia(standalone).matches || (navigator as { standalone?: boolean }).standalone === true;
}
