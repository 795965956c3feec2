/** Functions of node:http. Importing that module would load Node's fetch too, which takes 3 MB of memory. */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule("node:http");
