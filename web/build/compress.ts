import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

import type { Plugin } from "vite";

import { listFiles } from "./list-files.ts";

const textFile = /\.(css|js|json|svg|txt|webmanifest)$/;

/** Adds `FILE.br` and `FILE.gz`, which the server sends instead of a text file if they are smaller. */
export function compress(): Plugin {
  let outDir = "";
  return {
    name: "compress",
    apply: "build",
    configResolved(config) {
      outDir = config.build.outDir;
    },
    closeBundle: {
      order: "post",
      sequential: true,
      async handler(error) {
        if (error === undefined) await compressFiles(outDir);
      },
    },
  };
}

async function compressFiles(folder: string): Promise<void> {
  const paths = listFiles(folder).filter((path) => textFile.test(path));
  await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path);
      // Brotli's default quality is the highest.
      const versions = {
        ".br": await promisify(brotliCompress)(text),
        ".gz": await promisify(gzip)(text, { level: 9 }),
      };
      for (const [ending, bytes] of Object.entries(versions))
        if (bytes.length < text.length) await writeFile(path + ending, bytes);
    }),
  );
}
