/** Importing `node:http` directly would also load Node's fetch, which takes 3 MB of memory. */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule("node:http");
