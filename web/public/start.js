// Runs before the first paint, so that a chosen colour scheme never flashes the other one.
try {
  const choice = localStorage.getItem("appearance");
  if (choice === "light" || choice === "dark") {
    document.documentElement.dataset.appearance = choice;
    for (const meta of document.querySelectorAll("meta[data-scheme]")) {
      meta.media = meta.dataset.scheme === choice ? "all" : "not all";
    }
  }
} catch {}

// Loads the page again as it is: the link alone would lose what follows a "#", e.g. the token of an invitation.
document.addEventListener("click", (event) => {
  if (!event.target.closest(".late")) return;
  event.preventDefault();
  location.reload();
});
