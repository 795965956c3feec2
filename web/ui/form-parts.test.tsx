import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field, FormErrors } from "./field.tsx";
import { nextItem } from "./menu.tsx";

test("screen readers read a field's errors and hint together with the field", () => {
  const html = renderToStaticMarkup(
    <FormErrors value={{ name: ["Zu kurz.", "Zu bunt."] }}>
      <Field label="Name" name="name" hint="So heißt du." />
    </FormErrors>,
  );
  const [, described = ""] = /aria-describedby="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain('aria-invalid="true"');
  for (const id of described.split(" ")) expect(html).toContain(`id="${id}"`);
  expect(html).toMatch(/Zu kurz\..*Zu bunt\..*So heißt du\./);
});

test("a field without errors has no error attributes", () => {
  const html = renderToStaticMarkup(<Field label="Name" name="name" />);
  expect(html).not.toMatch(/aria-invalid|aria-describedby/);
});

test("a field with a limit shows a character count, of which screen readers read only the limit", () => {
  const html = renderToStaticMarkup(<Field label="Name" name="name" maxLength={60} defaultValue="Garten" />);
  expect(html.replaceAll("<!-- -->", "")).toMatch(/<span[^>]* aria-hidden="true">6\/60<\/span>/);
  const [, described = "?"] = /aria-describedby="([^"]+)"/.exec(html) ?? [];
  expect(html.replaceAll("<!-- -->", "")).toContain(`id="${described}">Höchstens 60 Zeichen</span>`);
});

test("a busy button keeps its label and cannot be pressed again", () => {
  const html = renderToStaticMarkup(<Button isBusy>Login</Button>);
  expect(html).toMatch(/<button[^>]* disabled=""/);
  expect(html).toContain("Login");
});

test("a closed dialog is named by its title and does not render its content", () => {
  const html = renderToStaticMarkup(
    <Dialog title="Deine Größe" isOpen={false} onClose={() => {}}>
      Inhalt
    </Dialog>,
  );
  const [, id = "?"] = /aria-labelledby="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`<h2 id="${id}" tabindex="-1">Deine Größe</h2>`);
  expect(html).not.toContain("Inhalt");
});

test.each([
  ["ArrowDown", -1, 0],
  ["ArrowDown", 3, 0],
  ["ArrowUp", 0, 3],
  ["ArrowUp", -1, 3],
  ["Home", 2, 0],
  ["End", 0, 3],
  ["l", 0, 3],
  ["d", 1, 2],
  ["x", 1, null],
  [" ", 1, null],
  ["Enter", 1, null],
])("the key %j moves the focus from menu item %i to %j", (key, here, next) => {
  expect(nextItem(key, here, ["Profil", "Hell", " Dunkel", "Logout"])).toBe(next);
});
