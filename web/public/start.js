// Runs before the first paint, so that the page never flashes in the other colour scheme than the
// chosen one.
try {
  const choice = localStorage.getItem("appearance");
  if (choice === "light" || choice === "dark") {
    document.documentElement.dataset.appearance = choice;
    for (const meta of document.querySelectorAll("meta[data-scheme]")) {
      meta.media = meta.dataset.scheme === choice ? "all" : "not all";
    }
  }
} catch {}

// Reloads the page instead of following the link, because the link would lose the part of the
// address after "#", e.g. the token of an invitation.
document.addEventListener("click", (event) => {
  if (!event.target.closest(".late")) return;
  event.preventDefault();
  location.reload();
});

// Until the app has replaced the placeholder, counts taps on its beer buttons and remembers a sent login form. All
// other controls of the placeholder are inert.
{
  const readStoredMember = () => JSON.parse(localStorage.getItem("stammtisch.mine.user"))?.id;
  let memberAtStart;
  try {
    memberAtStart = readStoredMember();
  } catch {}
  const readMember = () => JSON.parse(document.querySelector("meta[name=reader]").content).user.id;
  const find = ({ target }, selector) => target.closest?.(`#placeholder ${selector}`);

  addEventListener("click", (event) => {
    const button = find(event, "#beer-buttons button");
    if (!button) return;
    try {
      storeTap(button.dataset.early);
    } catch {
      return;
    }
    showTaps(1);
    navigator.vibrate?.(12);
  });
  addEventListener("keydown", (event) => {
    if (event.repeat && find(event, "button")) event.preventDefault();
  });
  addEventListener("submit", (event) => find(event, "form")?.setAttribute("data-sent", ""));
  // Shows taps again that were stored before a reload.
  const observer = new MutationObserver(() => {
    if (!document.querySelector("#placeholder #beer-buttons")) return;
    observer.disconnect();
    const memberId = readMember();
    showTaps(readTaps().filter((tap) => tap.memberId === memberId).length);
  });
  try {
    if (readTaps().length > 0) observer.observe(document, { childList: true, subtree: true });
    addEventListener("DOMContentLoaded", () => observer.disconnect());
  } catch {}

  // web/features/beers/early-taps.ts moves the stored taps into the outbox.
  function readTaps() {
    const names = Object.keys(localStorage).filter((name) => name.startsWith("stammtisch.tap."));
    return names.map((name) => JSON.parse(localStorage[name]));
  }

  function storeTap(kind) {
    const memberId = readMember();
    const stored = readStoredMember();
    if (stored !== memberId && stored !== memberAtStart) throw new Error("The member has logged out in another tab.");
    const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
    const key = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem(`stammtisch.tap.${key}`, JSON.stringify({ memberId, postedAt: Date.now(), kind }));
  }

  function showTaps(taps) {
    for (const number of document.querySelectorAll("#placeholder [data-early-count]:not(:empty)")) {
      number.textContent = (Number(number.textContent.replaceAll(".", "")) + taps).toLocaleString("de");
      if (number.dataset.characters) number.dataset.characters = number.textContent.length;
    }
  }

  // The app waits for this promise before it replaces the placeholder, because a press on an element that is removed
  // causes no click.
  let release;
  let releasing;
  const endPress = () => {
    clearTimeout(releasing);
    delete globalThis.placeholderPress;
    release?.();
  };
  const startPress = (event) => {
    if (!find(event, ":is(button, input, label)")) return;
    clearTimeout(releasing);
    globalThis.placeholderPress ??= new Promise((resolve) => (release = resolve));
  };
  // On touch screens, the click follows later than the end of the press.
  const endPressSoon = () => (releasing = setTimeout(endPress, 300));
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, startPress);
  for (const type of ["pointerup", "keyup"]) addEventListener(type, endPressSoon);
  for (const type of ["click", "pointercancel", "blur"]) addEventListener(type, endPress);
}
