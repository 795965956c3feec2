import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { openHouse } from "#test/open-house.ts";
import { rawAnswer } from "#test/raw-request.ts";

test("a client that hangs up in the middle of its body is no outage, and no line in the log says so", async () => {
  const house = await openHouse();
  const { hostname, port } = new URL(house.url);
  const socket = connect(Number(port), hostname);
  const head =
    "POST /api/login HTTP/1.1\r\nHost: localhost:3000\r\nContent-Type: application/json\r\nContent-Length: 9";
  socket.write(`${head}\r\n\r\n{`);
  await sleep(100);
  socket.destroy();
  await sleep(100);
  expect(house.lines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  await house.close();
});

test("a request without a Host is refused with a message", async () => {
  const house = await openHouse();
  const answer = await rawAnswer(house.url, "GET /api/config HTTP/1.1\r\nConnection: close\r\n\r\n");
  expect([answer.status, answer.json]).toEqual([400, { message: "Die Anfrage ist ungültig." }]);
  await house.close();
});
