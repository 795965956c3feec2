/** What components read of a browser while they are rendered, for the build, which has none. */
Object.assign(globalThis, {
  window: {},
  location: { pathname: "/", search: "", hash: "" },
  history: { state: null },
  document: { documentElement: { dataset: {} } },
  matchMedia: () => ({ matches: false }),
  PublicKeyCredential: () => {},
  innerWidth: 390,
  innerHeight: 844,
  screen: { width: 390, height: 844 },
  localStorage: { getItem: () => null },
});
