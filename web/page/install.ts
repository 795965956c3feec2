import { createStore } from "#web/client/store.ts";
import { useStore } from "./session.ts";

/** The event of Chromium's install prompt; other browsers have none. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

const installPrompt = createStore<BeforeInstallPromptEvent | null>(null);
const standalone = "(display-mode: standalone)";
const isInstalled = createStore(false);

/**
 * Keeps the browser's install prompt for the app's own install button. Called once, before the
 * first render.
 */
export function trackInstallPrompt(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt.set(event as BeforeInstallPromptEvent);
  });
  addEventListener("appinstalled", () => installPrompt.set(null));
  isInstalled.set(isStandalone());
  matchMedia(standalone).addEventListener("change", () => isInstalled.set(isStandalone()));
}

/** Returns `true` if this window belongs to the installed app. */
export function useIsInstalled(): boolean {
  return useStore(isInstalled);
}

/** Returns `true` if the browser allows the app to open the install prompt. */
export function useCanInstall(): boolean {
  return useStore(installPrompt) !== null;
}

/**
 * Opens the browser's install prompt, which can be opened once; resolves to `true` if the user
 * accepts.
 */
export async function promptInstall(): Promise<boolean> {
  const asking = installPrompt.get();
  installPrompt.set(null);
  return (await asking?.prompt())?.outcome === "accepted";
}

function isStandalone(): boolean {
  // Some versions of Safari on iOS support `navigator.standalone` instead of the media query.
  return matchMedia(standalone).matches || (navigator as { standalone?: boolean }).standalone === true;
}
