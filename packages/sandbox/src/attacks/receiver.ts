import http, { type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sleep } from '@pulsewire/kernel';
import { listen } from '../net/listen.ts';

export interface AttackReceiverOptions {
  readonly port?: number;
  readonly host?: string;
  /** Pause between the bytes of the slow attacks. Default 500 ms. */
  readonly dripMs?: number;
  /** The limit of the endless attacks, in bytes. Default 1 GiB. */
  readonly bytesMax?: number;
  /** The target of the redirect. Default: the cloud metadata address. */
  readonly redirectTo?: string;
}

export interface AttackReceiver {
  readonly url: string;
  /** Requests by path. */
  counts(): Readonly<Record<string, number>>;
  /** The bytes that the floods of a path have sent so far. */
  bytesSent(path: string): number;
  /** Whether every connection of a path has ended. */
  isOver(path: string): boolean;
  close(): Promise<void>;
}

export const attackPaths = [
  /** The status line and headers come a byte at a time. */
  '/slow-head',
  /** The body comes a byte at a time. */
  '/slow-drip',
  /** A body without end. */
  '/endless-body',
  /** Megabytes of headers. */
  '/huge-headers',
  /** Megabytes of headers of a few bytes each. */
  '/tiny-headers',
  /** The same after the body. */
  '/tiny-trailers',
  '/redirect-metadata',
  /** Redirects to itself forever. */
  '/redirect-loop',
  /** Reads the request and stays silent with the connection open. */
  '/half-open',
  /** Stops reading in the middle of the request. */
  '/never-reads',
  /** Resets the connection in the middle of the response. */
  '/reset',
  /** Closes the connection without a response. */
  '/close-early',
  /** A chunk whose extension has no end: no byte of it is body. */
  '/chunk-extension',
  /** Blank lines without end in place of a response. */
  '/blank-lines',
  /** A status line whose reason has no end. */
  '/endless-reason',
  /** Endless interim responses: 102 and 103. */
  '/interim-flood',
  /** Chunks of one byte without end. */
  '/tiny-chunks',
  /** A chunked body that is not chunked. */
  '/bad-chunks',
  /** Something that is not HTTP. */
  '/not-http',
  /** Announces a protocol change. */
  '/upgrade',
  /** A few bytes that decompress to ten megabytes. */
  '/gzip-bomb',
  /** Keeps sending unsolicited responses on an open connection. */
  '/unasked',
] as const;

type Path = (typeof attackPaths)[number];

const metadataUrl = 'http://169.254.169.254/latest/meta-data/';
const okHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n';
const chunkedHead = `${okHead}transfer-encoding: chunked\r\n\r\n`;

/** An endpoint that attacks its callers, each attack on its own path. Every loop ends with the connection, `close()` or a bound. */
export async function createAttackReceiver(options: AttackReceiverOptions = {}): Promise<AttackReceiver> {
  const dripMs = options.dripMs ?? 500;
  const bytesMax = options.bytesMax ?? 2 ** 30;
  const closing = new AbortController();
  const counts: Record<string, number> = {};
  const sockets: Record<string, Socket[]> = {};

  async function drip(socket: Socket, text: string): Promise<void> {
    for (const character of text) {
      if (socket.destroyed || closing.signal.aborted) return;
      socket.write(character);
      await sleep(dripMs, closing.signal);
    }
    socket.end();
  }

  async function flood(socket: Socket, prefix: string, piece: string): Promise<void> {
    socket.write(prefix);
    for (let sent = 0; sent < bytesMax && !socket.destroyed && !closing.signal.aborted; sent += piece.length) {
      if (!socket.write(piece)) await drained(socket);
    }
    socket.end();
  }

  const attacks: Readonly<Record<Path, (socket: Socket, response: ServerResponse) => unknown>> = {
    '/slow-head': (socket) => drip(socket, `${okHead}content-length: 2\r\n\r\nok`),
    '/slow-drip': (socket) => {
      socket.write(`${okHead}content-length: 100000\r\n\r\n`);
      return drip(socket, 'a'.repeat(100_000));
    },
    '/endless-body': (socket) => flood(socket, `${okHead}\r\n`, 'a'.repeat(65_536)),
    '/huge-headers': (socket) => flood(socket, okHead, `x-filler: ${'a'.repeat(8_000)}\r\n`),
    '/tiny-headers': (socket) => flood(socket, okHead, 'abcdefgh:\r\n'.repeat(8192)),
    '/tiny-trailers': (socket) => flood(socket, `${chunkedHead}2\r\nok\r\n0\r\n`, 'abcdefgh:\r\n'.repeat(8192)),
    '/redirect-metadata': (_socket, response) => response.writeHead(302, { location: options.redirectTo ?? metadataUrl }).end(),
    '/redirect-loop': (_socket, response) => response.writeHead(307, { location: '/redirect-loop' }).end(),
    '/half-open': () => undefined,
    '/never-reads': (socket) => socket.pause(),
    '/close-early': (socket) => socket.end(),
    '/chunk-extension': (socket) => flood(socket, `${chunkedHead}1;`, 'a'.repeat(65_536)),
    '/blank-lines': (socket) => flood(socket, '', '\r\n'.repeat(32_768)),
    '/endless-reason': (socket) => flood(socket, 'HTTP/1.1 200 ', 'a'.repeat(65_536)),
    '/interim-flood': (socket) =>
      flood(socket, '', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(500)),
    '/tiny-chunks': (socket) => flood(socket, chunkedHead, '1\r\na\r\n'.repeat(10_000)),
    '/bad-chunks': (socket) => socket.end(`${chunkedHead}zz\r\nnot a chunk\r\n`),
    '/not-http': (socket) => socket.end('220 mail.example ESMTP\r\n'),
    '/upgrade': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
    '/gzip-bomb': (_socket, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000))),
    '/unasked': (socket) => flood(socket, `${okHead}content-length: 2\r\n\r\nok`, '\r\n'.repeat(32_768)),
    '/reset': (socket) => socket.write(`${okHead}content-length: 100\r\n\r\nhalf`, () => socket.resetAndDestroy()),
  };

  const server = http.createServer((request, response) => {
    const path = attackPaths.find((known) => known === request.url);
    counts[path ?? 'unknown'] = (counts[path ?? 'unknown'] ?? 0) + 1;
    if (!path) return void response.writeHead(404).end();
    request.socket.on('error', () => request.socket.destroy());
    (sockets[path] ??= []).push(request.socket);
    if (path !== '/never-reads') request.resume();
    void attacks[path](request.socket, response);
  });
  const url = await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');

  return {
    url,
    counts: () => ({ ...counts }),
    bytesSent: (path) => (sockets[path] ?? []).reduce((sum, socket) => sum + socket.bytesWritten, 0),
    isOver: (path) => (sockets[path] ?? []).every((socket) => socket.destroyed),
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
