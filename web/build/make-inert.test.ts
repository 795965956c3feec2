import { expect, test } from "vitest";

import { makeInert } from "./make-inert.ts";

test.each([
  [
    "a page without early controls",
    "<div><h1>Profil</h1><p>Text</p></div>",
    '<div inert aria-hidden="true"><h1>Profil</h1><p>Text</p></div>',
  ],
  [
    "everything around an early button",
    '<header><a href="/">Home</a></header><main><h1>Bier</h1><div><button type="button" data-early=""><svg><path d="M1 1"></path></svg>Trinken</button><button type="button">Verlauf</button></div></main>',
    '<header inert aria-hidden="true"><a href="/">Home</a></header><main><h1 inert aria-hidden="true">Bier</h1><div><button type="button" data-early=""><svg><path d="M1 1"></path></svg>Trinken</button><button type="button" inert aria-hidden="true">Verlauf</button></div></main>',
  ],
  [
    "everything in an early form except fields, labels and the submit button",
    '<form data-early="login"><label for="a">Name</label><div><input id="a"/><button type="button">Zeigen</button></div><label><input type="checkbox"/>Bleiben</label><hr/><button type="submit"><span>Login</span></button></form><input name="other"/>',
    '<form data-early="login"><label for="a">Name</label><div><input id="a"/><button type="button" inert aria-hidden="true">Zeigen</button></div><label><input type="checkbox"/>Bleiben</label><hr inert aria-hidden="true"/><button type="submit"><span>Login</span></button></form><input name="other" inert aria-hidden="true"/>',
  ],
])("a placeholder makes %s inert", (_, html, expected) => {
  expect(makeInert(html)).toBe(expected);
});
