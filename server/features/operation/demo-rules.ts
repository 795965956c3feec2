import type { Permission } from "#contract/endpoint.ts";

/** Also used by the tests and all screenshots. */
export interface DemoUser {
  readonly uname: string;
  readonly name: string;
  readonly email: string;
  readonly permissions: readonly Permission[];
  /** `null` for the default picture. */
  readonly portrait: Portrait | null;
  /** Beers relative to the average, which is 1. */
  readonly rate: number;
}

export interface Portrait {
  readonly background: string;
  readonly skin: string;
  readonly hair: string;
  readonly shirt: string;
  readonly cut: "short" | "long" | "bun" | "curls" | "bald";
  readonly hasBeard?: boolean;
  readonly hasGlasses?: boolean;
}

const demoUser = (
  uname: string,
  name: string,
  rate: number,
  permissions: readonly Permission[],
  portrait: Portrait | null,
): DemoUser => ({
  uname,
  name,
  email: `${uname}@stammtisch.example`,
  permissions,
  portrait,
  rate,
});

export const demoUsers: readonly DemoUser[] = [
  demoUser("anna", "Anna", 0.9, ["see-game-servers", "toggle-game-servers", "admin"], {
    background: "#f2c76e",
    skin: "#f3c9a5",
    hair: "#7a3b1d",
    shirt: "#2f7d3b",
    cut: "bun",
    hasGlasses: true,
  }),
  demoUser("ben", "Ben", 1.3, ["see-game-servers", "toggle-game-servers"], {
    background: "#9cc4e4",
    skin: "#e8b88f",
    hair: "#2b1a10",
    shirt: "#b3472b",
    cut: "short",
    hasBeard: true,
  }),
  demoUser("carla", "Carla", 0.8, ["see-game-servers"], {
    background: "#e9a99b",
    skin: "#c98d62",
    hair: "#1d130c",
    shirt: "#f5b11d",
    cut: "curls",
  }),
  demoUser("david", "David von der Heide-Sonnenschein", 1.1, ["see-game-servers"], {
    background: "#b9d8a8",
    skin: "#f0c6a2",
    hair: "#c9932f",
    shirt: "#2f6ba8",
    cut: "short",
    hasGlasses: true,
  }),
  demoUser("emil", "Emil", 1.6, ["see-game-servers", "toggle-game-servers"], {
    background: "#d8c3e8",
    skin: "#8d5a3a",
    hair: "#120b07",
    shirt: "#f3e7d0",
    cut: "bald",
    hasBeard: true,
  }),
  demoUser("frieda", "Frieda", 0.6, [], {
    background: "#f6dca0",
    skin: "#f6d3b5",
    hair: "#b5452c",
    shirt: "#4a2c17",
    cut: "long",
  }),
  demoUser("greta", "Greta", 1, [], null),
  demoUser("hannes", "Hannes", 0.3, [], null),
];

const size = 400;

export function drawPortrait({ background, skin, hair, shirt, cut, hasBeard, hasGlasses }: Portrait): string {
  const hairBehind = {
    short: "",
    bald: "",
    long: `<path d="M108 190c0-70 40-112 92-112s92 42 92 112v128h-184z" fill="${hair}"/>`,
    bun: `<circle cx="200" cy="72" r="38" fill="${hair}"/>`,
    curls: [110, 140, 200, 260, 290]
      .map((x, index) => `<circle cx="${x}" cy="${[190, 120, 92, 120, 190][index]}" r="52" fill="${hair}"/>`)
      .join(""),
  }[cut];
  const hairline =
    cut === "bald"
      ? ""
      : `<path d="M122 186c-4-64 32-100 78-100s82 36 78 100c-22-14-36-38-42-54-24 22-72 30-100 22-2 10-8 24-14 32z" fill="${hair}"/>`;
  const beard = hasBeard
    ? `<path d="M126 206c2 70 34 108 74 108s72-38 74-108c-12 22-30 30-48 30h-52c-18 0-36-8-48-30z" fill="${hair}"/><path d="M176 258q24 16 48 0" fill="none" stroke="${skin}" stroke-width="8" stroke-linecap="round"/>`
    : `<path d="M170 248q30 26 60 0" fill="none" stroke="#5c2c18" stroke-width="8" stroke-linecap="round"/>`;
  const glasses = hasGlasses
    ? `<g fill="none" stroke="#2b1a10" stroke-width="7"><circle cx="166" cy="200" r="27"/><circle cx="234" cy="200" r="27"/><path d="M193 198q7-6 14 0"/></g>`
    : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 400 400">
    <rect width="400" height="400" fill="${background}"/>${hairBehind}
    <path d="M70 400c0-74 54-104 130-104s130 30 130 104z" fill="${shirt}"/>
    <path d="M168 270h64v44c0 20-64 20-64 0z" fill="${skin}"/>
    <ellipse cx="200" cy="198" rx="76" ry="92" fill="${skin}"/>${hairline}${beard}
    <circle cx="166" cy="202" r="8" fill="#2b1a10"/><circle cx="234" cy="202" r="8" fill="#2b1a10"/>${glasses}
  </svg>`;
}
