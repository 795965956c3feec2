import { randomUUID } from "node:crypto";

import pg from "pg";

/** A new, empty database on the PostgreSQL server that TEST_DATABASE_URL names. */
export async function createDatabase(): Promise<string> {
  const name = `house_${randomUUID().replaceAll("-", "")}`;
  await onServer(`create database ${name}`);
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(url: string): Promise<void> {
  await onServer(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(serverUrl());
  await client.connect();
  await client.query(statement);
  await client.end();
}

function serverUrl(): string {
  const url = process.env["TEST_DATABASE_URL"];
  if (!url) throw new Error("TEST_DATABASE_URL is missing: npm test starts PostgreSQL and sets it.");
  return url;
}
