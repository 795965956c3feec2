import { createHash } from "node:crypto";

const service = "https://api.pwnedpasswords.com/range/";
const timeoutMs = 2000;

/**
 * Whether the breach service knows a password. It is told the first 5 of 40 digits of its SHA-1 and nothing else. Where it
 * does not answer in time the password counts as good: nobody is locked out because somebody else is down.
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
    // Padding lines have a count of 0.
    return lines.some((line) => line.startsWith(`${digest.slice(5)}:`) && !line.endsWith(":0"));
  } catch {
    return false;
  }
}
