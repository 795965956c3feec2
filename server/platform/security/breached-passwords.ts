import { createHash } from "node:crypto";

const service = "https://api.pwnedpasswords.com/range/";
const timeoutMs = 2000;

/**
 * Returns `true` if the breach service lists the password. The service learns only the first 5 of
 * the 40 hexadecimal digits of the password's SHA-1. Returns `false` if the service fails or is
 * slow, so that members can still change passwords.
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
    // Ignores lines with a count of 0, with which the service pads its answers.
    return lines.some((line) => line.startsWith(`${digest.slice(5)}:`) && !line.endsWith(":0"));
  } catch {
    return false;
  }
}
