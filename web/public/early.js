// Before the first paint: a chosen colour scheme never flashes the other one.
try {
  const choice = localStorage.getItem("appearance");
  if (choice === "light" || choice === "dark") {
    document.documentElement.dataset.appearance = choice;
    for (const meta of document.querySelectorAll("meta[data-scheme]")) {
      meta.media = meta.dataset.scheme === choice ? "all" : "not all";
    }
  }
} catch {}

// The app's first two calls, which web/platform/api.ts takes over.
const init = { credentials: "include", headers: { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" } };
const cookie = fetch("/sanctum/csrf-cookie", init);
const status = cookie.catch(() => {}).then(() => fetch("/api/checkLoginStatus", init));
status.catch(() => {});
window.earlyCalls = { "/sanctum/csrf-cookie": cookie, "/api/checkLoginStatus": status };
