import { expect, test } from "vitest";

import { describeLocalAddress } from "./share-link.tsx";

test.each(["http://localhost:3000/register#token=A", "http://127.0.0.1/party/1", "http://[::1]:3000/admin/tv"])(
  "the link %s gets a warning that names APP_URL",
  (url) => {
    expect(describeLocalAddress(url)).toContain(
      `„${new URL(url).hostname}“ erreicht nur dieses Gerät: Trag auf dem Server bei APP_URL`,
    );
  },
);

test.each([
  "https://stammtisch.example/register#token=A",
  "http://stammtisch.home:3000/party/1",
  "http://192.168.2.5/tv",
])("the link %s gets no warning", (url) => expect(describeLocalAddress(url)).toBeNull());
