// Runs before the first paint.

const root = document.documentElement;

function readItem(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const appearance = readItem("appearance");
if (appearance === "light" || appearance === "dark") {
  root.dataset.appearance = appearance;
  for (const meta of document.querySelectorAll("meta[data-scheme]")) {
    meta.media = meta.dataset.scheme === appearance ? "all" : "not all";
  }
}

// The skeleton (index.html, web/ui/skeleton.css) has the shape and known texts of the coming page. A visitor gets the
// login.
const pages = {
  counter: /^\/(login|dashboard|beercounter)?$/,
  party: /^\/party\/\d+$/,
  calendar: /^\/christmas-calendar$/,
};
const path = location.pathname.toLowerCase().replace(/(.)\/$/, "$1");
const member = readJson(readItem("stammtisch.mine.user"));
const page = Object.keys(pages).find((name) => pages[name].test(path));
if (page && (member || path !== "/")) root.dataset.page = member ? page : "login";

const group = readJson(document.querySelector("meta[name=group]").content) ?? readJson(readItem("stammtisch.group"));
const counters = readJson(readItem("stammtisch.mine.beercounter"));
const isOwn = page === "counter" && member && counters?.memberId === member.id;
const total = isOwn ? Number(counters.KSKCounterVal).toLocaleString("de") : "";
setTexts({
  group: group?.group_name,
  short: group?.group_short,
  member: member?.name,
  total,
  own: isOwn ? Number(counters.userCounterVal).toLocaleString("de") : "",
});
root.style.setProperty("--skeleton-characters", Math.max(3, total.length));

function setTexts(texts) {
  for (const [name, text = ""] of Object.entries(texts)) {
    // A string of JSON is one of CSS, too.
    root.style.setProperty(`--skeleton-${name}`, JSON.stringify(text));
  }
}

// A link would lose the part of the address after "#", e.g. the token of an invitation.
document.addEventListener("click", (event) => {
  if (!event.target.closest(".late")) return;
  event.preventDefault();
  location.reload();
});

// The app's script could not be loaded.
addEventListener("error", ({ target }) => target instanceof HTMLScriptElement && reloadOnceOnline(), true);

function reloadOnceOnline() {
  setTimeout(() => (navigator.onLine ? location.reload() : reloadOnceOnline()), 5000);
}
