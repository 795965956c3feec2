/** What a passkey needs, with the library, loaded by the first use: most visits need none of it. */
export const loadPasskeys = () => import("./passkeys.ts");
