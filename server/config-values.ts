// How each kind of configuration value is written. Every function takes the text and returns the value or throws BadValue;
// the messages continue a sentence that begins with the variable's name and never repeat the text, which may be a secret.
import { BlockList, isIP, isIPv6 } from "node:net";

import { type GroupWords, groupWords } from "#contract/group.ts";

export class InvalidValueError extends Error {}

/** `pusher://KEY:SECRET@HOST/APP_ID?cluster=eu`, taken apart. */
export interface RealtimeUrl {
  key: string;
  secret: string;
  appId: string;
  host: string;
  /** Null: the port of the scheme. */
  port: number | null;
  cluster: string;
  isHttps: boolean;
}

export function text(min: number, max: number): (value: string) => string {
  return (value) => {
    const trimmed = assertNoControlCharacters(value).trim();
    if (trimmed.length < min || trimmed.length > max)
      throw new InvalidValueError(`must have ${min} to ${max} characters.`);
    return trimmed;
  };
}

export function wholeNumber(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d{1,15}$/.test(value) || number < min || number > max) {
      throw new InvalidValueError(`must be a whole number from ${min} to ${max}.`);
    }
    return number;
  };
}

export function factor(value: string): number {
  const number = Number(value);
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(value) || number <= 0)
    throw new InvalidValueError("must be a number greater than 0.");
  return number;
}

export function flag(value: string): boolean {
  if (value !== "0" && value !== "1") throw new InvalidValueError("must be 0 or 1.");
  return value === "1";
}

export function oneOf<const Choice extends string>(...choices: Choice[]): (value: string) => Choice {
  return (value) => {
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw new InvalidValueError(`must be one of ${choices.join(", ")}.`);
    return choice;
  };
}

/** Comma separated; blanks around an entry do not count. */
export function listOf<Entry>(entry: (value: string) => Entry): (value: string) => Entry[] {
  return (value) =>
    assertNoControlCharacters(value)
      .split(",")
      .map((part) => entry(part.trim()));
}

export function hostName(value: string): string {
  const name = value.toLowerCase();
  const label = "[a-z0-9]([a-z0-9-]*[a-z0-9])?";
  if (isIP(name) || new RegExp(`^(?=.{1,253}$)${label}(\\.${label})*$`).test(name)) return name;
  throw new InvalidValueError("must name a host, without scheme and port.");
}

/** The public address. http would send cookies and passwords readable through the network, so it needs a word of its own. */
export function appUrl(allowInsecureHttp: boolean): (value: string) => URL {
  return (value) => {
    const url = webUrl(value, "must be an http(s) address such as https://stammtisch.example.");
    if (url.pathname !== "/" || url.search || url.hash)
      throw new InvalidValueError("must have neither path nor query.");
    if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname)) {
      throw new InvalidValueError(
        "must use https; http is accepted for localhost only, or with ALLOW_INSECURE_HTTP=1.",
      );
    }
    return url;
  };
}

export function origin(value: string): string {
  const problem = "must list origins such as https://stammtisch.example, comma separated and without path.";
  if (!/^https?:\/\/[^/?#]+$/i.test(value)) throw new InvalidValueError(problem);
  return webUrl(value, problem).origin;
}

export function databaseUrl(value: string): string {
  const url = anyUrl(value);
  const isPostgres = url?.protocol === "postgres:" || url?.protocol === "postgresql:";
  if (!url || !isPostgres || !(url.hostname || url.searchParams.get("host"))) {
    throw new InvalidValueError("must be a PostgreSQL address such as postgres://USER:PASSWORD@HOST:5432/DATABASE.");
  }
  return value;
}

/** `tls=0` is for a server of one's own without encryption, which is also what a loopback name means. */
export function realtimeUrl(value: string): RealtimeUrl {
  const problem =
    "must look like pusher://KEY:SECRET@HOST/APP_ID?cluster=eu, with tls=0 or tls=1 as the only other option.";
  const url = anyUrl(value);
  const [, appId] = /^\/([\w-]{1,64})$/.exec(url?.pathname ?? "") ?? [];
  if (!url || url.protocol !== "pusher:" || !url.username || !url.password || !url.hostname || !appId || url.hash) {
    throw new InvalidValueError(problem);
  }
  const defaults = { cluster: "eu", tls: isLoopback(url.hostname) ? "0" : "1" };
  const { cluster, tls, ...others } = { ...defaults, ...Object.fromEntries(url.searchParams) };
  if (!/^[\w-]{1,32}$/.test(cluster) || !/^[01]$/.test(tls) || Object.keys(others).length > 0)
    throw new InvalidValueError(problem);
  return {
    key: decodePart(url.username, problem),
    secret: decodePart(url.password, problem),
    appId,
    host: url.hostname,
    port: url.port ? Number(url.port) : null,
    cluster,
    isHttps: tls === "1",
  };
}

export function engineUrl(value: string): string {
  const url = anyUrl(value);
  const isSocket = url?.protocol === "unix:" && url.hostname === "" && url.pathname.length > 1;
  const isNetwork = url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.username;
  if (!(isSocket || isNetwork) || url.search || url.hash) {
    throw new InvalidValueError("must be unix:///PATH/TO/SOCKET or http(s)://HOST:PORT.");
  }
  return value;
}

export function smtpUrl(value: string): string {
  const url = anyUrl(value);
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) {
    throw new InvalidValueError("must look like smtp://USER:PASSWORD@HOST:PORT or smtps://….");
  }
  return value;
}

/** `name@example.org` or `Name <name@example.org>`. */
export function mailFrom(value: string): string {
  const address = /^[^\s@<>,;:"]{1,64}@[^\s@<>,;:"]{1,190}$/;
  const named = /^[^<>@",;:]{1,64} <([^<>]+)>$/.exec(assertNoControlCharacters(value));
  if (!address.test(named?.[1] ?? value))
    throw new InvalidValueError("must be one mail address, with or without a name before it.");
  return value;
}

export function pushSubject(value: string): string {
  const url = anyUrl(value);
  const isAddress = url?.protocol === "mailto:" && url.pathname.includes("@");
  const isPage = url?.protocol === "https:" && !url.username;
  if (!isAddress && !isPage) throw new InvalidValueError("must be a mailto: or https: address.");
  return value;
}

export function timeZone(value: string): string {
  try {
    // Intl takes offsets such as +01:00 too, which know no summer time.
    if (/^[A-Za-z]/.test(value))
      return new Intl.DateTimeFormat("de-DE", { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    // Answered below, like an offset.
  }
  throw new InvalidValueError("must be a time zone such as Europe/Berlin.");
}

/** An address or CIDR. A range that holds every IPv4 address (also as IPv4-mapped IPv6) would let anybody forge theirs. */
export function proxy(value: string): string {
  const [address = "", prefix, ...rest] = value.split("/");
  const [family, longest] = isIPv6(address) ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
  const bits = Number(prefix ?? longest);
  if (!isIP(address) || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? "0") || bits > longest) {
    throw new InvalidValueError("must list IP addresses or CIDRs of reverse proxies, comma separated.");
  }
  const range = new BlockList();
  range.addSubnet(address, bits, family);
  const holdsAll = range.check("::ffff:0.0.0.0", "ipv6") && range.check("::ffff:255.255.255.255", "ipv6");
  if (holdsAll) throw new InvalidValueError("holds a range that trusts every address.");
  return value;
}

export function legalLinks(value: string): GroupWords["legal_links"] {
  try {
    return groupWords.shape.legal_links.parse(JSON.parse(value));
  } catch {
    throw new InvalidValueError(
      'must be JSON such as [{"label":"Impressum","url":"https://…"}]; mailto: and /paths are fine too.',
    );
  }
}

function webUrl(value: string, problem: string): URL {
  const url = anyUrl(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new InvalidValueError(problem);
  return url;
}

/** The parsed URL, or null. The parser silently drops line breaks and trims blanks; a value with them is refused instead. */
function anyUrl(value: string): URL | null {
  return /\s/.test(assertNoControlCharacters(value)) ? null : URL.parse(value);
}

function decodePart(part: string, problem: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new InvalidValueError(problem);
  }
}

function isLoopback(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || /^127(\.\d{1,3}){3}$/.test(host) || host === "[::1]";
}

function assertNoControlCharacters(value: string): string {
  if (!hasNoControlCharacters(value)) throw new InvalidValueError("holds control characters.");
  return value;
}

function hasNoControlCharacters(value: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(value);
}
