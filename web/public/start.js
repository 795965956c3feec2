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
