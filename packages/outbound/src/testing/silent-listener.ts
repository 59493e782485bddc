import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** An address that never responds: connections to it stay half open, as behind a firewall that drops packets. */
export interface SilentListener {
  close(): Promise<void>;
}

// Listens, reports, and never runs again, so that the kernel's queue of accepted connections stays full.
const source = `
  const { createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  createServer().listen({ ...workerData, backlog: 1 }, () => {
    parentPort.postMessage('listening');
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

export async function createSilentListener(host: string, port: number): Promise<SilentListener> {
  const worker = new Worker(source, { eval: true, workerData: { host, port } });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  const fillers: Socket[] = [];
  for (let isFull = false; !isFull;) {
    const filler = connect({ host, port }).on('error', () => {});
    fillers.push(filler);
    isFull = !(await opens(filler));
  }
  return {
    async close() {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}

function opens(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    setTimeout(() => resolve(false), 200);
  });
}
