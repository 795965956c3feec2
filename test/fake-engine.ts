// A fake container engine that answers like Docker or Podman but runs no programs. Tests can make
// it fail.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { createTemporaryFolder, endWithTest } from "./cleanup.ts";

/** The imitated engine; Docker and Podman answer differently while a container starts or stops. */
export type EngineKind = "docker" | "podman";

/**
 * `hang`: accepts requests and sends nothing. `500`: answers with this status. `garbage`: sends
 * incomplete JSON. `huge`: answers with 50 MB. `drip`: sends single bytes, slowly.
 */
export type EngineFault = "hang" | "500" | "garbage" | "huge" | "drip";

/**
 * Behaviour of the program in a container: an obedient one ends when asked to stop, a stubborn one
 * ignores the request, a crashing one ends soon after its start, a missing one cannot start.
 */
export type Program = "obedient" | "stubborn" | "crashing" | "missing";

interface Container {
  readonly id: string;
  name: string;
  readonly program: Program;
  status: "created" | "running" | "stopping" | "paused" | "exited";
  exitCode: number;
  startedAt: string;
  health: string | null;
}

export interface FakeEngine {
  readonly url: string;
  /** Every request, in order, e.g. `GET /v1.41/containers/x/json`. */
  readonly calls: string[];
  /** Number of bytes of huge answers that clients have accepted. */
  readonly bytesSent: number;
  /** The fault of all future answers; `null` for none. */
  fault: EngineFault | null;
  /** The answer to all future starts; `null` lets them succeed. */
  startRefusal: { readonly status: number; readonly message: string } | null;
  /** `true` to refuse event streams, as the proxy between app and engine (engine filter) does. */
  isRefusingEvents: boolean;
  /**
   * The oldest and the newest supported version of the engine's API: 41 stands for version 1.41.
   */
  versions: { oldest: number; newest: number };
  /** Milliseconds until a start is complete, and until a program ends that reacts to a stop. */
  delayMs: number;
  create(name: string, program?: Program, id?: string): Container;
  find(name: string): Container;
  /**
   * Changes a container without the app, as the engine's command line would, or crashes its
   * program.
   */
  runOutside(action: "start" | "stop" | "pause" | "crash", name: string): Promise<void>;
  rename(name: string, newName: string): Promise<void>;
  /** Writes raw text to every open event stream. */
  write(text: string): void;
  /** Closes all connections and refuses new ones until the engine is restarted. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a fake Docker Engine without containers. It is closed after the test, or after the test file. */
export async function createFakeEngine(kind: EngineKind = "docker"): Promise<FakeEngine> {
  const socket = join(createTemporaryFolder(), "engine.sock");
  const containers: Container[] = [];
  const listeners = new Set<ServerResponse>();
  let bytesTaken = 0;
  let server = createServer();

  /** Finds a container as a real engine does: first by id, then by name, then by the beginning of an id. */
  function resolve(ref: string): Container | undefined {
    return (
      containers.find(({ id }) => id === ref) ??
      containers.find(({ name }) => name === ref) ??
      containers.find(({ id }) => id.startsWith(ref))
    );
  }

  function tell(container: Container, ...actions: string[]): void {
    for (const Action of actions) {
      const Attributes = { name: container.name, image: "localhost/bb:1", "com.example.secret": "s3cret" };
      engine.write(`${JSON.stringify({ Type: "container", Action, Actor: { ID: container.id, Attributes } })}\n`);
    }
  }

  function start(container: Container): number {
    const { status, program } = container;
    if (status === "running") return 304;
    if (status === "stopping") return kind === "docker" ? 304 : 500;
    if (status === "paused") return kind === "docker" ? 409 : 500;
    if (program === "missing") {
      container.exitCode = kind === "docker" ? 127 : 0;
      return kind === "docker" ? 400 : 500;
    }
    Object.assign(container, { status: "running", exitCode: 0, startedAt: new Date().toISOString() });
    tell(container, ...(kind === "docker" ? ["start"] : ["init", "start"]));
    if (program === "crashing") setTimeout(() => end(container, 3), 50);
    return 204;
  }

  function end(container: Container, exitCode: number): void {
    Object.assign(container, { status: "exited", exitCode });
    tell(container, ...(kind === "docker" ? ["die"] : ["died", "cleanup"]));
  }

  async function stop(container: Container, seconds: number): Promise<number> {
    if (container.status === "paused" && kind === "podman") return 500;
    if (container.status === "created" || container.status === "exited") return 304;
    container.status = "stopping";
    if (kind === "docker") tell(container, "kill");
    const isStubborn = container.program === "stubborn";
    await sleep(isStubborn ? seconds * 1000 : engine.delayMs);
    if (kind === "docker") tell(container, "stop");
    if (container.status === "stopping") end(container, isStubborn ? 137 : 0);
    return 204;
  }

  function describe({ id, name, status, exitCode, startedAt, health }: Container): string {
    const isBusy = status === "running" || status === "paused";
    const State = {
      // Docker reports a container that is stopping as running.
      Status: status === "stopping" && kind === "docker" ? "running" : status,
      Running: isBusy || (status === "stopping" && kind === "docker"),
      Paused: status === "paused",
      OOMKilled: false,
      ExitCode: exitCode,
      Error: "",
      StartedAt: startedAt,
      ...(health !== null && { Health: { Status: health } }),
    };
    return JSON.stringify({ Id: id, Name: `/${name}`, State, Config: { Env: ["RCON_PASSWORD=s3cret"], Labels: {} } });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    engine.calls.push(`${request.method} ${request.url}`);
    request.resume();
    if (engine.fault) return misbehave(engine.fault, response);
    response.setHeader("api-version", `1.${engine.versions.newest}`);
    if (/^(\/v1\.\d+)?\/_ping$/.test(request.url!)) return void response.end("OK");
    const [, minor, path, query] = /^\/v1\.(\d+)(\/[^?]*)(?:\?(.*))?$/.exec(request.url!) ?? [];
    if (Number(minor) < engine.versions.oldest || Number(minor) > engine.versions.newest) return send(response, 400);
    if (path === "/events") return engine.isRefusingEvents ? send(response, 403) : listen(response);
    const [, ref, action] = /^\/containers\/([^/]+)\/(json|start|stop)$/.exec(path ?? "") ?? [];
    const container = ref === undefined ? undefined : resolve(ref);
    if (!container) return send(response, 404);
    if (action === "json") return void response.setHeader("content-type", "application/json").end(describe(container));
    await sleep(action === "start" ? engine.delayMs : 0);
    if (action === "start" && engine.startRefusal) {
      const { status, message } = engine.startRefusal;
      return void response.writeHead(status).end(JSON.stringify({ message }));
    }
    const seconds = Number(new URLSearchParams(query).get("t") ?? 10);
    return send(response, action === "start" ? start(container) : await stop(container, seconds));
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    listeners.add(response);
    response.on("close", () => listeners.delete(response));
  }

  function misbehave(fault: EngineFault, response: ServerResponse): void {
    if (fault === "500") send(response, 500);
    if (fault === "garbage") response.end('{"State":{"Status":"running","Running":"maybe');
    if (fault === "drip") sendSlowly(response);
    if (fault === "huge") flood(response, 50);
  }

  function flood(response: ServerResponse, megabytes: number): void {
    if (megabytes === 0 || response.destroyed) return void response.end();
    response.write(Buffer.alloc(1_000_000, "x"), (error) => {
      bytesTaken += error ? 0 : 1_000_000;
      if (!error) flood(response, megabytes - 1);
    });
  }

  async function open(): Promise<void> {
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((opened) => void server.listen(socket, () => opened()));
  }

  async function shut(): Promise<void> {
    const closed = new Promise((done) => void server.close(done));
    server.closeAllConnections();
    await closed;
  }

  const engine: FakeEngine = {
    url: `unix://${socket}`,
    calls: [],
    get bytesSent() {
      return bytesTaken;
    },
    fault: null,
    startRefusal: null,
    isRefusingEvents: false,
    versions: { oldest: 24, newest: 41 },
    delayMs: 20,
    create(name, program = "obedient", id = (containers.length + 16).toString(16).padEnd(64, "0")) {
      const fresh = { status: "created", exitCode: 0, startedAt: "0001-01-01T00:00:00Z", health: null } as const;
      const container: Container = { id, name, program, ...fresh };
      containers.push(container);
      tell(container, "create");
      return container;
    },
    find: (name) => containers.find((one) => one.name === name)!,
    async runOutside(action, name) {
      const container = engine.find(name);
      if (action === "start") start(container);
      if (action === "stop") await stop(container, 0);
      if (action === "crash") end(container, 3);
      if (action === "pause") {
        container.status = "paused";
        tell(container, "pause");
      }
    },
    async rename(name, newName) {
      const container = engine.find(name);
      container.name = newName;
      // Unlike Docker, Podman does not report the name that the container had before.
      const Attributes = { name: newName, ...(kind === "docker" && { oldName: `/${name}` }) };
      const Actor = { ID: container.id, Attributes };
      engine.write(`${JSON.stringify({ Type: "container", Action: "rename", Actor })}\n`);
    },
    write(text) {
      for (const listener of listeners) listener.write(text);
    },
    kill: shut,
    restart: open,
    close: endWithTest(async () => {
      if (server.listening) await shut();
    }),
  };
  await open();
  return engine;
}

function send(response: ServerResponse, status: number): void {
  if (response.destroyed) return;
  // Like real engines, names a file path of the engine's machine in the error text.
  response.writeHead(status).end(status >= 400 ? '{"message":"mount /srv/games/s3cret: no such file"}' : undefined);
}

function sendSlowly(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 100);
  response.on("close", () => clearInterval(timer));
}
