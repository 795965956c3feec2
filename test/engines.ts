import { expect } from "vitest";

import { createEngineFilter } from "#server/features/game-servers/drivers/engine-filter.ts";
import { type EngineKind, createFakeEngine, type Program } from "#test/fake-engine.ts";
import { image, startDockerEngine } from "../scripts/docker-engine.ts";

/** A container engine, with the commands that an operator can run on its machine. */
export interface TestEngine {
  readonly url: string;
  /** Creates a container and returns its id. */
  create(name: string, program: Program): Promise<string>;
  runOutside(action: "start" | "stop" | "pause", name: string): Promise<void>;
  /** Resolves once the obedient program in this container is ready to receive the stop signal. */
  isListening(name: string): Promise<void>;
  rename(name: string, newName: string): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Programs of the containers. All end after at most ten minutes, in case a test run is aborted. */
const programs: Record<Program, string[]> = {
  obedient: ["/bin/sh", "-c", "trap 'exit 0' TERM; sleep 600 & wait"],
  stubborn: ["/bin/sh", "-c", "trap '' TERM; for i in $(seq 60); do sleep 1; done"],
  crashing: ["/bin/sh", "-c", "exit 3"],
  missing: ["/nonexistent"],
};

const { DOCKERD: dockerd, BUSYBOX: busybox } = process.env;

/** A real Docker Engine if DOCKERD and BUSYBOX name its programs, otherwise the fake engines. */
export const engines: readonly { name: string; kind: EngineKind; open: () => Promise<TestEngine> }[] =
  dockerd && busybox
    ? [{ name: "a real Docker Engine", kind: "docker", open: () => createReal(dockerd, busybox) }]
    : [
        { name: "a fake Docker", kind: "docker", open: () => createFake("docker") },
        { name: "a fake Podman", kind: "podman", open: () => createFake("podman") },
        { name: "a fake Docker behind the filter", kind: "docker", open: createFiltered },
      ];

async function createFake(kind: EngineKind): Promise<TestEngine> {
  const engine = await createFakeEngine(kind);
  const { url, runOutside, rename, kill, restart, close } = engine;
  return {
    url,
    runOutside,
    rename,
    kill,
    restart,
    close,
    isListening: async () => {},
    create: async (name, program) => engine.create(name, program).id,
  };
}

/**
 * Creates a fake engine behind the engine filter, as the documentation recommends: the app has no
 * access to the engine's own socket.
 */
async function createFiltered(): Promise<TestEngine> {
  const engine = await createFake("docker");
  const socket = `${engine.url.slice("unix://".length)}.filter`;
  const names = ["anna", "ben", "carla", "david", "emil", "frieda", "greta", "hannes", "ida", "again"].map(
    (one) => `gs-${one}`,
  );
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const filter = await createEngineFilter({ engineUrl: engine.url, socket, names, log });
  async function close(): Promise<void> {
    filter.close();
    await engine.close();
  }
  return { ...engine, url: `unix://${socket}`, close };
}

async function createReal(dockerdPath: string, busyboxPath: string): Promise<TestEngine> {
  const { url, request, kill, restart, stop } = await startDockerEngine(dockerdPath, busyboxPath);
  return {
    url,
    async create(name, program) {
      const Cmd = programs[program];
      const { text } = await request("POST", `/containers/create?name=${name}`, {
        Image: image,
        Cmd,
        HostConfig: { NetworkMode: "none" },
      });
      return (JSON.parse(text) as { Id: string }).Id;
    },
    async runOutside(action, name) {
      const { status, text } = await request("POST", `/containers/${name}/${action}`);
      if (status >= 300) throw new Error(`${action} ${name}: ${status} ${text}`);
    },
    async isListening(name) {
      const processes = async () => (await request("GET", `/containers/${name}/top`)).text;
      await expect.poll(processes).toContain('"sleep 600"');
    },
    async rename(name, newName) {
      const { status, text } = await request("POST", `/containers/${name}/rename?name=${newName}`);
      if (status >= 300) throw new Error(`rename ${name}: ${status} ${text}`);
    },
    kill,
    restart,
    close: stop,
  };
}
