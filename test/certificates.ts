import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";

interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

let cached: (Record<"good" | "foreign" | "own" | "expired", KeyAndCertificate> & { authority: string }) | undefined;

/**
 * Creates a test authority and four server certificates with OpenSSL, once per process. All but
 * `expired` are valid for a day.
 */
export function createCertificates() {
  if (cached) return cached;
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const read = (name: string) => ({
    key: readFileSync(join(folder, `${name}.key`), "utf8"),
    cert: readFileSync(join(folder, `${name}.crt`), "utf8"),
  });
  openssl("req", "-x509", ...newKey, "-keyout", "ca.key", "-out", "ca.crt", "-subj", "/CN=Test authority");
  const sign = (name: string, host: string) =>
    openssl(
      ...["req", "-x509", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.crt`, "-subj", `/CN=${host}`],
      ...["-addext", `subjectAltName=DNS:${host}`, "-addext", "basicConstraints=critical,CA:FALSE"],
      ...(name === "own" ? [] : ["-CA", "ca.crt", "-CAkey", "ca.key"]),
    );
  sign("good", "localhost");
  sign("foreign", "mail.example");
  sign("own", "localhost");
  // Uses `openssl x509`, because only this command accepts a negative number of days.
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  openssl("req", "-new", ...newKey, "-keyout", "expired.key", "-out", "expired.csr", ...subject);
  const authority = ["-CA", "ca.crt", "-CAkey", "ca.key", "-set_serial", "1"];
  const request = ["-req", "-in", "expired.csr", "-copy_extensions", "copy"];
  openssl("x509", ...request, ...authority, "-days", "-1", "-out", "expired.crt");
  cached = {
    good: read("good"),
    foreign: read("foreign"),
    own: read("own"),
    expired: read("expired"),
    authority: read("ca").cert,
  };
  rmSync(folder, { recursive: true });
  return cached;
}

let isTrusted = false;

/** Makes this process trust the test authority, and no other one. */
export function trustTestAuthority(): void {
  // Once, because Node.js takes 30 ms to read a list of authorities.
  if (!isTrusted) tls.setDefaultCACertificates([createCertificates().authority]);
  isTrusted = true;
}
