// Before the first paint: a chosen colour scheme never flashes the other one.
const kept = {};
// What the server says of the member, since some browsers delete what they keep for a page before its cookies.
const { member } = document.documentElement.dataset;
try {
  const choice = localStorage.getItem("appearance");
  if (choice === "light" || choice === "dark") {
    document.documentElement.dataset.appearance = choice;
    for (const meta of document.querySelectorAll("meta[data-scheme]")) {
      meta.media = meta.dataset.scheme === choice ? "all" : "not all";
    }
  }
  // As in web/platform/user-storage.ts.
  const prefix = "stammtisch.mine.";
  for (const [name, value] of Object.entries(JSON.parse(member ?? "{}"))) {
    // Taps change only the kept counters, so that these may be newer than the server's.
    const isNewer = name === "own-doors" || localStorage.getItem(prefix + name) === null;
    if (isNewer) localStorage.setItem(prefix + name, JSON.stringify(value));
  }
  const user = JSON.parse(localStorage.getItem(prefix + "user"));
  const counters = JSON.parse(localStorage.getItem(prefix + "beercounter"));
  const doors = JSON.parse(localStorage.getItem(prefix + "own-doors"));
  Object.assign(kept, user, counters?.memberId === user?.id && counters);
  if (doors?.memberId === user?.id) kept.doorsLine = doors?.reply?.line ?? "";
} catch {}
const isMember = kept.id !== undefined || member !== undefined;
// base.css shows the skeleton of a page only to those it is for.
document.documentElement.dataset.visitor = isMember ? "member" : "guest";

// The skeleton gets what this device knows, and its styles: the Content-Security-Policy forbids style attributes.
const fillSkeleton = () => {
  for (const element of document.querySelectorAll("[data-style]:not([style])")) {
    element.style.cssText = element.dataset.style;
  }
  for (const element of document.querySelectorAll("[data-kept]:empty")) {
    const value = kept[element.dataset.kept] ?? "";
    // As in web/ui/german.ts.
    const text = typeof value === "number" ? String(value).replace(/\B(?=(\d{3})+$)/g, ".") : value;
    element.value = element.textContent = text;
    element.style.setProperty("--characters", text.length);
  }
  for (const picture of document.querySelectorAll("[data-own-picture]:not([src])")) {
    if (kept.avatarId) picture.src = `/internal/images/avatar/${encodeURIComponent(kept.avatarId)}`;
  }
};
const parsed = new MutationObserver(fillSkeleton);
parsed.observe(document, { childList: true, subtree: true });
document.addEventListener("DOMContentLoaded", () => {
  fillSkeleton();
  parsed.disconnect();
});

// Loads the page again as it is: the link alone would lose what follows a "#", say the token of an invitation.
document.addEventListener("click", (event) => {
  if (!event.target.closest(".late")) return;
  event.preventDefault();
  location.reload();
});

// The app's first two calls, which web/platform/api.ts takes over.
const callServer = () => {
  const init = {
    credentials: "include",
    headers: { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" },
  };
  const cookie = fetch("/sanctum/csrf-cookie", init);
  const status = cookie.catch(() => {}).then(() => fetch("/api/checkLoginStatus", init));
  status.catch(() => {});
  window.earlyCalls = { "/sanctum/csrf-cookie": cookie, "/api/checkLoginStatus": status };
};
// A member's device usually has the app, too, and waits for the answers alone.
if (kept.id) callServer();

// The app is loaded and started once the skeleton is on the screen, or at once where nobody looks; apart from the calls, since
// each request takes a while to be made.
const start = () => {
  if (!window.earlyCalls) callServer();
  setTimeout(load);
};
const load = () => {
  for (const link of document.querySelectorAll("link[rel=modulepreload][media]")) {
    const wanted = link.cloneNode();
    wanted.removeAttribute("media");
    link.replaceWith(wanted);
  }
  const app = document.querySelector("[data-app]");
  if (app) import(app.href).catch(retry);
};
// A skeleton whose app got lost on the way would be tapped in vain.
const retry = () => setTimeout(() => (navigator.onLine ? location.reload() : retry()), 5000);
new PerformanceObserver(start).observe({ type: "paint", buffered: true });
setTimeout(start, document.hidden ? 0 : 1000);
