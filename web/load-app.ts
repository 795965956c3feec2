/**
 * Maximum wait for the first paint in milliseconds. Hidden tabs, which never paint, do not wait.
 */
const maxPaintWait = 1000;
/** Milliseconds until the page is reloaded after the app could not be fetched. */
const retryDelay = 5000;

// Waits until the browser has painted the placeholder, the page's HTML from the server, because
// loading the app's files would delay this first paint.
const isPainted = new Promise<void>((resolve) => {
  new PerformanceObserver(() => resolve()).observe({ type: "paint", buffered: true });
  setTimeout(resolve, document.hidden ? 0 : maxPaintWait);
});
void isPainted.then(loadApp);

/** Loads the app, and in parallel preloads the scripts of the page. */
function loadApp(): void {
  const scripts = document.querySelector<HTMLMetaElement>('meta[name="scripts"]')?.content ?? "";
  for (const path of scripts.split(" ").filter(Boolean)) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: `/${path}` }));
  }
  import("./main.tsx").catch(reloadPage);
}

/**
 * Reloads the page after a delay, once the device is online. Without the app, most controls of the placeholder remain
 * inert.
 */
function reloadPage(): void {
  setTimeout(() => (navigator.onLine ? location.reload() : reloadPage()), retryDelay);
}
