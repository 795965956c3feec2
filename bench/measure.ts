import { spawn } from "node:child_process";
import { join } from "node:path";

import type { Client } from "#test/client.ts";
import type { Load, LoadResult } from "./load-http.ts";

/**
 * Runs a program of this folder with one JSON argument. Returns the JSON that the program prints.
 */
export async function runProgram<Result>(name: string, argument: object): Promise<Result> {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), JSON.stringify(argument)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => void child.once("close", resolve));
  if (code !== 0) throw new Error(`${name} failed with ${code}`);
  return JSON.parse(out) as Result;
}

/**
 * Sends requests over `connections` connections for `seconds`. Throws if any answer has another
 * status than 200.
 */
export async function runLoad(load: Load): Promise<LoadResult> {
  const result = await runProgram<LoadResult>("load-http.ts", load);
  if (result.failed > 0 || result.answered === 0) throw new Error(`${result.failed} of the answers were not 200`);
  return result;
}

/** Returns request line and headers as a page of the logged-in client would send them. */
export function requestHead(method: "GET" | "POST", path: string, client: Client): string {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${client.host}`, `Cookie: ${client.cookieHeader}`];
  if (method === "POST") lines.push(`X-XSRF-TOKEN: ${client.csrfToken}`, "Idempotency-Key: $KEY", "Content-Length: 0");
  return lines.join("\r\n");
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function printTable(title: string, rows: readonly Record<string, string | number>[]): void {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => show(row[name] ?? "")))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const lines = cells.map((line) => line.map((cell, column) => cell.padStart(widths[column]!)).join("   "));
  process.stdout.write(`\n${title}\n${lines.join("\n")}\n`);
}

function show(value: string | number): string {
  if (typeof value === "string") return value;
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
