// Runs before the first paint, so that a chosen colour scheme never flashes the other one.
try {
  const choice = localStorage.getItem("appearance");
  if (choice === "light" || choice === "dark") {
    document.documentElement.dataset.appearance = choice;
    for (const meta of document.querySelectorAll("meta[data-scheme]")) {
      meta.media = meta.dataset.scheme === choice ? "all" : "not all";
    }
  }
} catch {
  // Without a store the system's scheme applies.
}
