/** Maximum wait for the first paint in milliseconds; hidden tabs never paint. */
const maxPaintWait = 1000;
/** Milliseconds before the page is reloaded if the app could not be fetched. */
const retryDelay = 5000;

// Waits for the first paint, so that the placeholder does not share a slow connection with the app.
const isPainted = new Promise<void>((resolve) => {
  new PerformanceObserver(() => resolve()).observe({ type: "paint", buffered: true });
  setTimeout(resolve, document.hidden ? 0 : maxPaintWait);
});
void isPainted.then(loadApp);

/** Loads the app and the page's scripts in parallel. */
function loadApp(): void {
  const scripts = document.querySelector<HTMLMetaElement>('meta[name="scripts"]')?.content ?? "";
  for (const path of scripts.split(" ").filter(Boolean)) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: `/${path}` }));
  }
  import("./main.tsx").catch(reloadPage);
}

/** Reloads a placeholder without its app, which would ignore taps. */
function reloadPage(): void {
  setTimeout(() => (navigator.onLine ? location.reload() : reloadPage()), retryDelay);
}
