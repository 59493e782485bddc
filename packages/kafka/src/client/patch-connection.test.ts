import { createRequire } from 'node:module';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patchConnection } from './patch-connection.ts';

interface Connection {
  connect(): Promise<boolean>;
  disconnect(): Promise<boolean>;
  send(request: object): Promise<object>;
}

const require = createRequire(import.meta.url);
const KafkaConnection = require('kafkajs/src/network/connection') as new (options: object) => Connection;
const apiVersions = require('kafkajs/src/protocol/requests/apiVersions') as { protocol(of: { version: number }): () => object };

const noLog = { namespace: () => noLog, debug() {}, info() {}, warn() {}, error() {} };

describe('a connection of kafkajs', () => {
  let mode: 'responds' | 'partial response' | 'silence' = 'responds';
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (request) => {
      const response = respondTo(request.readInt32BE(8));
      if (mode === 'responds') socket.write(response);
      if (mode === 'partial response') socket.write(response.subarray(0, 9), () => setTimeout(() => socket.resetAndDestroy(), 20));
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = (connection: Connection) => connection.send(apiVersions.protocol({ version: 0 })());
  async function connected(): Promise<Connection> {
    mode = 'responds';
    const connection = new KafkaConnection({
      host: '127.0.0.1',
      port: (server.address() as net.AddressInfo).port,
      logger: noLog,
      socketFactory: ({ host, port, onConnect }: { host: string; port: number; onConnect: () => void }) =>
        net.connect({ host, port }, onConnect),
      requestTimeout: 250,
      connectionTimeout: 5_000,
    });
    await connection.connect();
    await ask(connection);
    return connection;
  }

  /** Whether the connection works again after it was interrupted in the middle of a response. */
  async function afterHalfAResponse(): Promise<string> {
    const connection = await connected();
    mode = 'partial response';
    await expect(ask(connection)).rejects.toThrow();
    mode = 'responds';
    await connection.connect();
    const outcome = await ask(connection).then(
      () => 'answered',
      () => 'failed',
    );
    await connection.disconnect();
    return outcome;
  }

  /** The outcome of requests made while the connection closes, at each possible moment. */
  async function whileItCloses(): Promise<string[]> {
    const outcomes: string[] = [];
    for (let ticks = 0; ticks < 3; ticks++) {
      const connection = await connected();
      mode = 'silence';
      const outcome = ask(connection).then(
        () => 'answered',
        () => 'failed',
      );
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      void connection.disconnect();
      outcomes.push(await Promise.race([outcome, new Promise<string>((resolve) => setTimeout(resolve, 1_000, 'open for ever'))]));
    }
    return outcomes;
  }

  // The patch applies to the whole process, so the order of these tests matters.
  it('unpatched: appends data of a new socket to a broken response and fails to parse everything after it', async () => {
    expect(await afterHalfAResponse()).toBe('failed');
  });

  it('unpatched: a request made while it closes never settles', async () => {
    expect(await whileItCloses()).toContain('open for ever');
  });

  it('patched: starts a fresh response after a break in the middle of one', async () => {
    patchConnection();
    patchConnection();
    expect(await afterHalfAResponse()).toBe('answered');
  });

  it('patched: a request made while it closes fails', async () => {
    patchConnection();
    expect(new Set(await whileItCloses())).toEqual(new Set(['failed']));
  });
});

/** A response to ApiVersions v0 that names one request. */
function respondTo(correlationId: number): Buffer {
  const response = Buffer.alloc(20);
  response.writeInt32BE(response.length - 4, 0);
  response.writeInt32BE(correlationId, 4);
  response.writeInt32BE(1, 10);
  response.writeInt16BE(3, 14);
  response.writeInt16BE(6, 18);
  return response;
}
