import { createStore, useStore } from "#web/data/store.ts";

/** Chromium's install prompt; other browsers have none. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

const installPrompt = createStore<BeforeInstallPromptEvent | null>(null);
const standalone = "(display-mode: standalone)";
const isInstalled = createStore(false);

/** Keeps the browser's install prompt for our own button. Called once, before the first render. */
export function trackInstallPrompt(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt.set(event as BeforeInstallPromptEvent);
  });
  addEventListener("appinstalled", () => installPrompt.set(null));
  isInstalled.set(isStandalone());
  matchMedia(standalone).addEventListener("change", () => isInstalled.set(isStandalone()));
}

/** Returns `true` if this window is the installed app. */
export function useIsInstalled(): boolean {
  return useStore(isInstalled);
}

/** Returns `true` if the browser allows us to open its install prompt. */
export function useCanInstall(): boolean {
  return useStore(installPrompt) !== null;
}

/** Opens the install prompt, once per start; resolves to `true` if the app is being installed. */
export async function promptInstall(): Promise<boolean> {
  const asking = installPrompt.get();
  installPrompt.set(null);
  return (await asking?.prompt())?.outcome === "accepted";
}

function isStandalone(): boolean {
  // Some versions of Safari on phones do not support the media query.
  return matchMedia(standalone).matches || (navigator as { standalone?: boolean }).standalone === true;
}
