import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sleep } from '@pulsewire/kernel';
import { registryJar } from './artifacts.ts';
import { freePorts } from '../free-ports.ts';
import { startJava, type JavaProcess } from './java-process.ts';

/** A schema registry of the test run: Apicurio with its Confluent-compatible interface. */
export interface Registry {
  /** For `SCHEMA_REGISTRY_URL`. */
  readonly url: string;
  pid(): number;
  isRunning(): boolean;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address, with its schemas. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const readyWithinMs = 150_000;

/** Starts the registry on a free port and resolves when it responds. It stores schemas in a file, so that they survive a kill. */
export async function startRegistry(): Promise<Registry> {
  const jar = await registryJar();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-registry-'));
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}/apis/ccompat/v7`;
  let server: JavaProcess | undefined;
  const launch = async () => {
    const settings = {
      'quarkus.http.host': '127.0.0.1',
      'quarkus.http.port': String(port),
      'quarkus.datasource.jdbc.url': `jdbc:h2:file:${folder}/schemas;WRITE_DELAY=0`,
      // The default opens 20 connections at once.
      'quarkus.datasource.jdbc.initial-size': '2',
      'quarkus.datasource.jdbc.min-size': '2',
      // With the default it exits when a loaded machine takes five seconds to open the file.
      'quarkus.datasource.jdbc.acquisition-timeout': '60',
    };
    const flags = Object.entries(settings).map(([key, value]) => `-D${key}=${value}`);
    server = await startJava({
      args: ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...flags, '-jar', jar],
      logFile: path.join(folder, 'registry.log'),
      folder,
    });
    const deadline = Date.now() + readyWithinMs;
    while (!(await responses(url))) {
      if (!server.isRunning() || Date.now() > deadline) throw new Error(`The schema registry did not start:\n${await server.logTail()}`);
      await sleep(150);
    }
  };
  const close = async () => {
    await server?.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await launch();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    pid: () => server?.pid ?? 0,
    isRunning: () => server?.isRunning() ?? false,
    kill: async () => server?.kill(),
    async restart() {
      await server?.kill();
      await launch();
    },
    close,
  };
}

async function responses(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
