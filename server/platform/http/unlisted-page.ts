import type { FastifyRequest } from "fastify";

import { escapeHtml } from "#server/platform/escape-html.ts";

/** Tells the operator what to set for an address that the server does not know. `null` if no browser asks for a page. */
export function describeUnlistedAddress({ method, headers, protocol }: FastifyRequest): string | null {
  if (method !== "GET" || !/\btext\/html\b/.test(headers.accept ?? "")) return null;
  const isName = /^[\w.:[\]-]{1,253}$/.test(headers.host ?? "");
  const address = escapeHtml(`${protocol}://${isName ? headers.host! : "HOST"}`);
  return `<!doctype html>
<html lang="de">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Unbekannte Adresse</title>
<h1>Diese Adresse kennt der Server nicht</h1>
<p>Du bist hier richtig? Dann sag dem Menschen Bescheid, der Stammtisch betreibt:</p>
<ul>
<li>Ist <strong>${address}</strong> die richtige Adresse, gehört <code>APP_URL=${address}</code> in die Einstellungen.</li>
<li>Ist es eine weitere, gehört <code>EXTRA_ORIGINS=${address}</code> dazu.</li>
<li>Steht oben eine fremde Adresse, reicht der Reverse-Proxy den Header <code>Host</code> nicht weiter.</li>
</ul>
<p>Danach den Server neu starten.</p>
</html>
`;
}
