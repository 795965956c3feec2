import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import icon from "../public/icon.svg?raw";
import { Logo } from "./icons.tsx";

test("the icon of the browser tab has the same shapes as the logo", () => {
  const shapes = (svg: string): string[] =>
    [...svg.matchAll(/ (?:d|cx|r|fill|stroke|stroke-width)="[^"]*"/g)].map(([shape]) => shape);
  expect(shapes(icon)).toEqual(shapes(renderToStaticMarkup(createElement(Logo, { size: 64 }))));
});
