import { createHash } from "node:crypto";

const service = "https://api.pwnedpasswords.com/range/";
const timeoutMs = 2000;

/**
 * Returns `true` if the breach service knows the password. The service learns only the first 5 of the 40 digits of its SHA-1. If
 * the service fails or is slow, the password is accepted, so that an outage locks out no member.
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
    // The service pads its answers with lines that have a count of 0.
    return lines.some((line) => line.startsWith(`${digest.slice(5)}:`) && !line.endsWith(":0"));
  } catch {
    return false;
  }
}
