// Runs before the first paint, so that a chosen colour scheme never flashes the other one.
try {
  const choice = localStorage.getItem("appearance");
  if (choice === "light" || choice === "dark") document.documentElement.dataset.appearance = choice;
} catch {
  // Without a store the system's scheme applies.
}
