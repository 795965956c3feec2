import { createStore } from "#web/client/store.ts";
import { useStore } from "./session.ts";

/** An event of Chromium only. */
interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

const installPrompt = createStore<BeforeInstallPromptEvent | null>(null);
const standalone = "(display-mode: standalone)";
const isInstalled = createStore(false);

/** Runs once, before the first render. */
export function trackInstallPrompt(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installPrompt.set(event as BeforeInstallPromptEvent);
  });
  addEventListener("appinstalled", () => installPrompt.set(null));
  isInstalled.set(isStandalone());
  matchMedia(standalone).addEventListener("change", () => isInstalled.set(isStandalone()));
}

export function useIsInstalled(): boolean {
  return useStore(isInstalled);
}

export function useCanInstall(): boolean {
  return useStore(installPrompt) !== null;
}

/** Opens the prompt, which is possible once; resolves to `true` if the user accepts. */
export async function promptInstall(): Promise<boolean> {
  const asking = installPrompt.get();
  installPrompt.set(null);
  return (await asking?.prompt())?.outcome === "accepted";
}

function isStandalone(): boolean {
  // Some versions of Safari on iOS lack the media query.
  return matchMedia(standalone).matches || (navigator as { standalone?: boolean }).standalone === true;
}
