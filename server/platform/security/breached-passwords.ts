import { createHash } from "node:crypto";

const service = "https://api.pwnedpasswords.com/range/";
const timeoutMs = 2000;

/**
 * The breach service learns only the first 5 of the 40 hexadecimal digits of the SHA-1. `false` if it fails or is slow,
 * so that members can still change passwords.
 */
export async function isBreached(password: string): Promise<boolean> {
  const digest = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const response = await fetch(service + digest.slice(0, 5), {
      headers: { "add-padding": "true" },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) return false;
    const lines = (await response.text()).split(/\r?\n/);
    // The service pads its answers with lines whose count is 0.
    return lines.some((line) => line.startsWith(`${digest.slice(5)}:`) && !line.endsWith(":0"));
  } catch {
    return false;
  }
}
