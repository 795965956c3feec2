import { describe, expect, test } from "vitest";

import { createTestApp } from "#test/test-app.ts";
import { shortenRanking } from "./rules.ts";

const path = "/api/beercounter/stats/user";

/** A ranking in which the member with the id 1 has drunk the most. */
const ranking = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `Mitglied ${index + 1}`,
    uname: `m${index + 1}`,
    profile_picture: null,
    beercounter_entries_count: count - index,
  }));

describe("the ranking of a large group", () => {
  test("the ranking of a group of up to 100 members is not shortened", () => {
    expect(shortenRanking(ranking(100), 70)).toBeNull();
  });

  test("the ranking of over 100 members is shortened to the first 50, and the reader with five neighbours on each side", () => {
    const { users, total } = shortenRanking(ranking(412), 300)!;
    const ranks = users.map(({ rank }) => rank);
    expect(total).toBe(412);
    expect(ranks.slice(49)).toEqual([50, ...Array.from({ length: 11 }, (_, index) => 295 + index)]);
    expect(users.map(({ id }) => id)).toEqual(ranks);
  });

  test("a reader near the top or end of a shortened ranking has fewer neighbours, and a paused reader has none", () => {
    expect(shortenRanking(ranking(150), 48)!.users).toHaveLength(53);
    expect(shortenRanking(ranking(150), 150)!.users).toHaveLength(56);
    expect(shortenRanking(ranking(150), 999)!.users).toHaveLength(50);
  });
});

describe("GET /api/beercounter/stats/user", () => {
  test("an unchanged ranking is answered with 304, and a ranking changed by a beer with 200", async () => {
    const app = await createTestApp();
    const anna = await app.createMember("anna");
    const first = await anna.get(path);
    const etag = first.headers["etag"] as string;
    const askAgain = () => anna.get(path, { "if-none-match": etag });
    // The browser then sends this ETag with its next request.
    expect(first.headers["cache-control"]).toBe("private, no-cache");
    expect(await askAgain()).toMatchObject({ status: 304, headers: { etag, "cache-control": "private, no-cache" } });
    await anna.post("/api/beercounter/counters");
    expect(await askAgain()).toMatchObject({ status: 200, json: { users: [{ beercounter_entries_count: 1 }] } });
  });

  test(
    "the ranking is complete by default, and shortened for a request with the query parameter range=near",
    { tags: "postgres" },
    async () => {
      const app = await createTestApp();
      const anna = await app.createMember("anna");
      const people = Array.from({ length: 120 }, (_, index) => ({
        uname: `gast${index}`,
        name: `Gast ${index}`,
        email: `gast${index}@stammtisch.example`,
        password_hash: "",
        uname_key: `gast${index}`,
        email_key: `gast${index}@stammtisch.example`,
        created_at: 0,
      }));
      await app.db.insertInto("users").values(people).execute();
      await anna.post("/api/beercounter/counters");
      const { json: all } = await anna.get(path);
      expect(all.users).toHaveLength(121);
      expect(all.users[0]).not.toHaveProperty("rank");
      const { json: near } = await anna.get(`${path}?range=near`);
      expect(near).toMatchObject({ total: 121, users: { length: 50 } });
      expect((await anna.get(`${path}?range=far`)).status).toBe(422);
    },
  );
});
