import { ApiError } from "./api.ts";

/** What a passkey needs, with the library, loaded by the first use: most visits need none of it. */
export async function loadPasskeys() {
  try {
    return await import("./passkeys.ts");
  } catch {
    // Without connection, or of an older version. Firefox does not fetch it again on this page.
    throw new ApiError(0, "Das konnte nicht geladen werden. Lade bitte die Seite neu, sobald du Empfang hast.");
  }
}
