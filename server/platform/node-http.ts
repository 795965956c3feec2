/** Avoids `import "node:http"`, which would also load Node's fetch (3 MB of memory). */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule("node:http");
