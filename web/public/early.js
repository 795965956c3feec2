// Before the first paint: a chosen colour scheme never flashes the other one.
try {
  // base.css shows the outline of a page only to those it is for.
  document.documentElement.dataset.visitor = localStorage.getItem("stammtisch.mine.user") ? "member" : "guest";
  const choice = localStorage.getItem("appearance");
  if (choice === "light" || choice === "dark") {
    document.documentElement.dataset.appearance = choice;
    for (const meta of document.querySelectorAll("meta[data-scheme]")) {
      meta.media = meta.dataset.scheme === choice ? "all" : "not all";
    }
  }
} catch {}
// The Content-Security-Policy forbids style attributes, so the outline has its styles in another one.
const parsed = new MutationObserver(() => {
  for (const element of document.querySelectorAll("[data-style]")) element.style.cssText = element.dataset.style;
});
parsed.observe(document, { childList: true, subtree: true });

// The app starts once the outline is on the screen, or at once where nobody looks.
const start = () => {
  parsed.disconnect();
  const app = document.querySelector("[data-app]");
  if (app) import(app.href).catch(retry);
};
// An outline whose app got lost on the way would be tapped in vain.
const retry = () => setTimeout(() => (navigator.onLine ? location.reload() : retry()), 5000);
requestAnimationFrame(() => setTimeout(start));
setTimeout(start, document.hidden ? 0 : 3000);

// The app's first two calls, which web/platform/api.ts takes over.
const init = { credentials: "include", headers: { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" } };
const cookie = fetch("/sanctum/csrf-cookie", init);
const status = cookie.catch(() => {}).then(() => fetch("/api/checkLoginStatus", init));
status.catch(() => {});
window.earlyCalls = { "/sanctum/csrf-cookie": cookie, "/api/checkLoginStatus": status };
