import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

/** Addresses to respond with; `silence`: never responds; `unknown`: no such name; `only`: never responds for the other family. */
export type NameResponse = readonly string[] | 'silence' | 'unknown' | { readonly only: 4 | 6; readonly addresses: readonly string[] };

export interface NameServer {
  /** `127.0.0.1:port`. */
  readonly address: string;
  /** Queries for IPv4 addresses, by name. */
  counts(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

const headBytes = 12;
const typeA = 1;
const typeAaaa = 28;

function readName(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = headBytes;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const words = (text: string) => (text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16)));
  const [before, after] = [words(head), words(tail)];
  const bytes = Buffer.alloc(16);
  for (const [i, word] of before.entries()) bytes.writeUInt16BE(word, i * 2);
  for (const [i, word] of after.entries()) bytes.writeUInt16BE(word, 16 - (after.length - i) * 2);
  return bytes;
}

function reply(question: Buffer, questionEnd: number, addresses: readonly string[], isUnknown: boolean): Buffer {
  const head = Buffer.from(question.subarray(0, questionEnd));
  head.writeUInt16BE(isUnknown ? 0x8583 : 0x8580, 2);
  head.writeUInt16BE(addresses.length, 6);
  // Additional records of the query are not sent back.
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = addressBytes(address);
    const record = Buffer.alloc(12);
    // The name as a pointer to the question, then type, class, a TTL of 0 seconds, and the length.
    record.writeUInt16BE(0xc000 | headBytes, 0);
    record.writeUInt16BE(isIPv4(address) ? typeA : typeAaaa, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

/**
 * A hostile name server: `respond` decides the address of a name by the number of earlier queries. It rebinds, mixes public and
 * private addresses, or never responds.
 */
export async function createNameServer(respond: (name: string, queriedBefore: number) => NameResponse): Promise<NameServer> {
  const counts: Record<string, number> = {};
  const socket = createSocket('udp4');
  const responses = new Map<string, NameResponse>();
  socket.on('message', (message, from) => {
    const { name, end } = readName(message);
    const type = message.readUInt16BE(end);
    // Both queries of one look-up get the same response.
    if (type === typeA) {
      responses.set(name, respond(name, counts[name] ?? 0));
      counts[name] = (counts[name] ?? 0) + 1;
    }
    const given = responses.get(name) ?? respond(name, 0);
    if (given === 'silence') return;
    if (typeof given === 'object' && 'only' in given && (given.only === 4) !== (type === typeA)) return;
    const all = given === 'unknown' ? [] : 'only' in given ? given.addresses : given;
    const addresses = all.filter((address) => isIPv4(address) === (type === typeA));
    socket.send(reply(message, end + 4, addresses, given === 'unknown'), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    counts: () => ({ ...counts }),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
