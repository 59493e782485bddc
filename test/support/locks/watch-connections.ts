import net from 'node:net';

/** What happens on one connection to Postgres, in the order in which it is sent. */
export interface ConnectionWatcher {
  /** A statement is executed; `parameter` reads its parameter of that number, as text. */
  onStatement(text: string, parameter: (place: number) => string | null): void;
}

const protocol = 196_608;
const marker = Symbol.for('pulsewire.watched-connections');

interface Watched {
  readonly watcher: ConnectionWatcher;
  readonly prepared: Map<string, string>;
  rest: Buffer;
}

function readName(frame: Buffer, from: number): { readonly name: string; readonly next: number } {
  const end = frame.indexOf(0, from);
  return { name: frame.toString('utf8', from, end), next: end + 1 };
}

/** Reads a parameter of a Bind message, from the place after its names. */
function readParameter(frame: Buffer, from: number, place: number): string | null {
  const formats = frame.readInt16BE(from);
  let at = from + 2 + 2 * formats;
  const count = frame.readInt16BE(at);
  at += 2;
  for (let index = 1; index <= count; index++) {
    const length = frame.readInt32BE(at);
    at += 4;
    if (index === place) return length < 0 ? null : frame.toString('utf8', at, at + length);
    at += Math.max(0, length);
  }
  return null;
}

function readFrame({ watcher, prepared }: Watched, type: string, body: Buffer): void {
  if (type === 'Q') watcher.onStatement(readName(body, 0).name, () => null);
  if (type === 'P') {
    const { name, next } = readName(body, 0);
    prepared.set(name, readName(body, next).name);
  }
  if (type !== 'B') return;
  const { name, next } = readName(body, readName(body, 0).next);
  const text = prepared.get(name);
  if (text !== undefined) watcher.onStatement(text, (place) => readParameter(body, next, place));
}

function readSent(watched: Watched, chunk: Buffer): void {
  let data = watched.rest.length > 0 ? Buffer.concat([watched.rest, chunk]) : chunk;
  while (data.length >= 5) {
    const length = data.readInt32BE(1) + 1;
    if (data.length < length) break;
    readFrame(watched, String.fromCharCode(data[0] as number), data.subarray(5, length));
    data = data.subarray(length);
  }
  watched.rest = data;
}

/**
 * Watches what this process sends to Postgres from now on, on every unencrypted connection: of any client, without a change to one. Only
 * the first call has an effect.
 */
export function watchConnections(open: () => ConnectionWatcher): void {
  const prototype = net.Socket.prototype as net.Socket & { [marker]?: true };
  if (prototype[marker]) return;
  prototype[marker] = true;
  const sockets = new WeakMap<net.Socket, Watched | null>();
  const { write } = prototype;
  prototype.write = function watchedWrite(this: net.Socket, ...sent: Parameters<net.Socket['write']>) {
    const [chunk] = sent as readonly unknown[];
    const known = sockets.get(this);
    if (known) {
      if (Buffer.isBuffer(chunk)) readSent(known, chunk);
    } else if (known === undefined) {
      const isStart =
        Buffer.isBuffer(chunk) && chunk.length >= 8 && chunk.readInt32BE(4) === protocol && chunk.readInt32BE(0) === chunk.length;
      sockets.set(this, isStart ? { watcher: open(), prepared: new Map(), rest: Buffer.alloc(0) } : null);
    }
    return write.apply(this, sent);
  } as net.Socket['write'];
}
