import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";

import { reportConnection, resetConnection, useConnection } from "./connection.ts";

beforeEach(() => void vi.useFakeTimers());

const shown = () => renderToStaticMarkup(createElement(useConnection));

test("useConnection returns offline 5 seconds after an interruption, or after 10 seconds without a first connection", () => {
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
