import { randomBytes, randomInt } from "node:crypto";

import { type Db, inTransaction } from "#server/db/connect.ts";
import * as memberStore from "#server/features/members/store.ts";
import { hashPassword } from "#server/platform/security/passwords.ts";
import { days } from "#server/time.ts";
import { demoUsers, drawPortrait, type DemoUser } from "./demo-rules.ts";

export interface DemoMember extends DemoUser {
  readonly id: number;
  readonly password: string;
}

/** Creates random passwords, which the caller prints once. */
export async function seedMembers(db: Db, now: number): Promise<DemoMember[]> {
  const members: DemoMember[] = [];
  for (const user of demoUsers) {
    const { uname, name, email, permissions, portrait } = user;
    const password = generatePassword();
    const password_hash = await hashPassword(password);
    const png = portrait && (await toPng(drawPortrait(portrait)));
    const id = await inTransaction(db, async (tx) => {
      const userId = await memberStore.insertUser(tx, {
        uname,
        name,
        email,
        permissions,
        password_hash,
        created_at: now - days(2 * 365),
      });
      if (png) {
        const picture = randomBytes(16).toString("base64url");
        await memberStore.insertPicture(tx, { id: picture, user_id: userId, png, created_at: now });
        await memberStore.updateAvatar(tx, userId, picture);
      }
      return userId;
    });
    members.push({ ...user, id, password });
  }
  return members;
}

async function toPng(svg: string): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const syllables = ["ma", "lo", "ki", "ru", "se", "to", "bi", "na", "fu", "ge", "do", "pa", "wi", "zu", "he", "la"];

/** Returns a password that is easy to say, e.g. `kiruse-topani-4711`. */
function generatePassword(): string {
  const word = () => Array.from({ length: 3 }, () => syllables[randomInt(syllables.length)]).join("");
  return `${word()}-${word()}-${randomInt(1000, 9999)}`;
}
