type Query = Record<string, string | string[] | undefined>;

/** Turns a repeated name into an array. */
export function parseSearch(search: string): Query {
  const params = new URLSearchParams(search);
  const names = [...new Set(params.keys())];
  return Object.fromEntries(
    names
      .map((name) => [name, params.getAll(name)])
      .map(([name, values]) => [name, values!.length === 1 ? values![0] : values]),
  );
}

/** Keeps slashes readable: `?redirectedFrom=/profile`. */
export function stringifySearch(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const text of value === undefined ? [] : [value].flat()) params.append(name, text);
  const written = params.toString().replaceAll("%2F", "/");
  return written === "" ? "" : `?${written}`;
}
