// Error messages continue a sentence that begins with the variable's name. They omit the value, which may be secret.
import { isIP } from "node:net";

import ipaddr from "ipaddr.js";
import * as z from "zod/mini";

import { groupSettings } from "#contract/group.ts";
import { isLoopback } from "#contract/loopback.ts";

const controlCharacters = /[\p{Cc}\u2028\u2029]/u;

const cleanText = z.string().check(z.refine((value) => !controlCharacters.test(value), "holds control characters."));

function parsed<Value>(parse: (written: string) => Value | undefined, message: string) {
  return z.pipe(
    z.string(),
    z.transform((written, { issues }): Value => {
      const value = parse(written);
      if (value !== undefined) return value;
      issues.push({ code: "custom", message, input: written });
      return z.NEVER;
    }),
  );
}

export function text(min: number, max: number) {
  const message = `must have ${min} to ${max} characters.`;
  return cleanText.check(z.trim(), z.minLength(min, message), z.maxLength(max, message));
}

export function base64Url(bytes: number) {
  return parsed((value) => {
    const decoded = Buffer.from(value, "base64url");
    return decoded.length === bytes && decoded.toString("base64url") === value ? value : undefined;
  }, `must be ${bytes} bytes in base64url.`);
}

export function wholeNumber(min: number, max: number) {
  return parsed((value) => {
    const number = Number(value);
    return /^\d{1,15}$/.test(value) && number >= min && number <= max ? number : undefined;
  }, `must be a whole number from ${min} to ${max}.`);
}

export const factor = parsed((value) => {
  const number = Number(value);
  return /^\d{1,9}(\.\d{1,9})?$/.test(value) && number > 0 ? number : undefined;
}, "must be a number greater than 0.");

export const flag = z.pipe(
  z.enum(["0", "1"], "must be 0 or 1."),
  z.transform((value) => value === "1"),
);

export function oneOf<const Choice extends string>(...choices: Choice[]) {
  return z.enum(choices, `must be one of ${choices.join(", ")}.`);
}

export function listOf<Entry extends z.ZodMiniType<string, string>>(entry: Entry) {
  const entries = z.transform((value: string) => value.split(",").map((part) => part.trim()));
  return z.pipe(z.pipe(cleanText, entries), z.array(entry));
}

export const hostName = parsed((value) => {
  const name = value.toLowerCase();
  const label = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
  return isIP(name) || new RegExp(`^(?=.{1,253}$)${label}(\\.${label})*$`).test(name) ? name : undefined;
}, "must name a host, without scheme and port.");

/** config.ts refuses plain http for other hosts than localhost, unless ALLOW_INSECURE_HTTP is set. */
export const appUrl = z
  .pipe(cleanText, parsed(parseWebUrl, "must be an http(s) address such as https://stammtisch.example."))
  .check(
    z.refine(({ pathname, search, hash }) => pathname === "/" && !search && !hash, "must have neither path nor query."),
  );

export const origin = parsed(
  (value) => (/^https?:\/\/[^/?#]+$/i.test(value) ? parseWebUrl(value)?.origin : undefined),
  "must list origins such as https://stammtisch.example, comma separated and without path.",
);

/** The text is kept exactly as the OpenID provider writes it. config.ts refuses plain http as for `appUrl`. */
export const oidcIssuer = url(
  ({ protocol, hostname, username, pathname, search, hash }) =>
    /^https?:$/.test(protocol) &&
    hostname !== "" &&
    !username &&
    !search &&
    !hash &&
    !pathname.includes("/.well-known/"),
  "must be the provider's issuer, such as https://id.example/realms/home, without /.well-known/….",
);

export const databaseUrl = url((value) => {
  const { protocol, hostname, searchParams } = value;
  return /^postgres(ql)?:$/.test(protocol) && Boolean(hostname || searchParams.get("host"));
}, "must be a PostgreSQL address such as postgres://USER:PASSWORD@HOST:5432/DATABASE.");

/** TLS is off with `tls=0`, and by default for loopback addresses. `port` is `null` for the scheme's default port. */
export const realtimeUrl = z.pipe(
  cleanText,
  parsed((value) => {
    const address = parseUrl(value);
    const [, appId] = /^\/([\w-]{1,64})$/.exec(address?.pathname ?? "") ?? [];
    if (!address || !appId || address.protocol !== "pusher:" || !address.hostname || address.hash) return;
    const key = decodePart(address.username);
    const secret = decodePart(address.password);
    if (!key || !secret) return;
    const defaults = { cluster: "eu", tls: isLoopback(address.hostname) ? "0" : "1" };
    const { cluster, tls, ...others } = { ...defaults, ...Object.fromEntries(address.searchParams) };
    if (!/^[\w-]{1,32}$/.test(cluster) || !/^[01]$/.test(tls) || Object.keys(others).length > 0) return;
    const port = address.port ? Number(address.port) : null;
    return { key, secret, appId, host: address.hostname, port, cluster, isHttps: tls === "1" };
  }, "must look like pusher://KEY:SECRET@HOST/APP_ID?cluster=eu, with tls=0 or tls=1 as the only other option."),
);

export const engineUrl = url(({ protocol, hostname, pathname, username, search, hash }) => {
  const isSocket = protocol === "unix:" && hostname === "" && pathname.length > 1 && decodePart(pathname) !== undefined;
  const isNetwork = /^https?:$/.test(protocol) && pathname === "/" && !username;
  return (isSocket || isNetwork) && !search && !hash;
}, "must be unix:///PATH/TO/SOCKET or http(s)://HOST:PORT.");

export const smtpUrl = url(
  ({ protocol, hostname, username, password }) =>
    /^smtps?:$/.test(protocol) && hostname !== "" && decodePart(username + password) !== undefined,
  "must look like smtp://USER:PASSWORD@HOST:PORT or smtps://…; in the password, % is %25, # is %23 and / is %2F.",
);

export const feedUrl = url(
  ({ protocol, username, hash }) => protocol === "https:" && !username && !hash,
  "must be an https address without user name.",
);

export const mailFrom = cleanText.check(
  z.refine((value) => {
    const address = /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,190}$/;
    const named = /^[^<>@",;:]{1,64} <([^<>]+)>$/.exec(value);
    return address.test(named?.[1] ?? value);
  }, "must be one mail address, with or without a name before it."),
);

export const pushSubject = url(({ protocol, pathname, username }) => {
  const isMailAddress = protocol === "mailto:" && pathname.includes("@");
  const isPage = protocol === "https:" && !username;
  return isMailAddress || isPage;
}, "must be a mailto: or https: address.");

export const timeZone = parsed((value) => {
  // Refuses offsets such as +01:00, which Intl also accepts, because they have no daylight saving time.
  if (!/^[A-Za-z]/.test(value)) return;
  try {
    return new Intl.DateTimeFormat("de-DE", { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return;
  }
}, "must be a time zone such as Europe/Berlin.");

/** Refuses ranges with all IPv4 addresses (also IPv4-mapped), because any client could then forge its address. */
export const proxy = parsed((value) => {
  const isRange = ipaddr.IPv4.isValidCIDRFourPartDecimal(value) || ipaddr.IPv6.isValidCIDR(value);
  return isRange || isIP(value) || value === containerNetworks ? value : undefined;
}, "must list IP addresses or CIDRs of reverse proxies, comma separated, or be docker.").check(
  z.refine((value) => !holdsEveryAddress(value), "holds a range that trusts every address."),
);

/** Stands for the networks of the container. */
export const containerNetworks = "docker";

const everyIPv4 = ipaddr.IPv6.parse("::ffff:0:0");

function holdsEveryAddress(range: string): boolean {
  if (isIP(range) || range === containerNetworks) return false;
  const [network, bits] = ipaddr.parseCIDR(range);
  return bits === 0 || (bits <= 96 && network.kind() === "ipv6" && everyIPv4.match(network, bits));
}

export const legalLinks = parsed((value) => {
  try {
    return groupSettings.shape.legal_links.parse(JSON.parse(value));
  } catch {
    return;
  }
}, 'must be JSON such as [{"label":"Impressum","url":"https://…"}]; mailto: and /paths are fine too.');

/** The value of the schema is the unchanged text. */
function url(isValid: (address: URL) => boolean, message: string) {
  return cleanText.check(
    z.refine((value) => {
      const address = parseUrl(value);
      return address !== null && isValid(address);
    }, message),
  );
}

function parseWebUrl(value: string): URL | undefined {
  const address = parseUrl(value);
  return address && /^https?:$/.test(address.protocol) && !address.username && !address.password ? address : undefined;
}

/** Returns `null` for whitespace, too, which URL.parse() would silently remove. */
function parseUrl(value: string): URL | null {
  return /\s/.test(value) ? null : URL.parse(value);
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return;
  }
}
