/** Parses the id of an address such as `/party/7`; other values match no page. */
export const idParams = {
  parse: ({ id }: { id: string }): { id: number } | false => (/^[1-9]\d{0,8}$/.test(id) ? { id: Number(id) } : false),
  stringify: ({ id }: { id: number }): { id: string } => ({ id: String(id) }),
};
