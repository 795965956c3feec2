import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";

import { reportConnection, resetConnection, useConnection } from "./connection.ts";

beforeEach(() => void vi.useFakeTimers());

const shown = () => renderToStaticMarkup(createElement(useConnection));

test("a first connection may take 10 seconds, an interruption 5, before the page says that it is not connected", () => {
  reportConnection(false);
  vi.advanceTimersByTime(9_999);
  expect(shown()).toBe("connecting");
  vi.advanceTimersByTime(1);
  expect(shown()).toBe("offline");

  reportConnection(true);
  expect(shown()).toBe("online");
  reportConnection(false);
  vi.advanceTimersByTime(4_999);
  expect(shown()).toBe("connecting");
  vi.advanceTimersByTime(1);
  expect(shown()).toBe("offline");

  resetConnection();
  expect(shown()).toBe("connecting");
});
