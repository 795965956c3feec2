/** A path such as `/party/x` matches no page. */
export const idParams = {
  parse: ({ id }: { id: string }): { id: number } | false => (/^[1-9]\d{0,8}$/.test(id) ? { id: Number(id) } : false),
  stringify: ({ id }: { id: number }): { id: string } => ({ id: String(id) }),
};
