import { createRequire } from 'node:module';

/** The part of kafkajs' connection that the patch touches (kafkajs 2.2.4, src/network/connection). */
interface Connection {
  bytesBuffered: number;
  bytesNeeded: number;
  chunks: Buffer[];
  isConnected(): boolean;
  rejectRequests(error: Error): void;
}

interface ConnectionClass {
  readonly prototype: Connection & { connect(): Promise<boolean>; disconnect(): Promise<boolean> };
}

const sizeBytes = 4;
const patched = new WeakSet<object>();

/**
 * Fixes two defects of kafkajs 2.2.4 that leave a partition unread while heartbeats continue. A connection that broke in the middle of a
 * response keeps the first half and appends the data of the next socket to it; and a request made while a connection closes never
 * settles. Idempotent.
 */
export function patchConnection(): void {
  const require = createRequire(import.meta.url);
  const { prototype } = require('kafkajs/src/network/connection') as ConnectionClass;
  const { KafkaJSConnectionError } = require('kafkajs/src/errors') as { KafkaJSConnectionError: new (message: string) => Error };
  if (patched.has(prototype)) return;
  patched.add(prototype);
  const { connect, disconnect } = prototype;
  prototype.connect = function (this: Connection) {
    if (!this.isConnected()) {
      this.chunks = [];
      this.bytesBuffered = 0;
      this.bytesNeeded = sizeBytes;
    }
    return connect.call(this as typeof prototype);
  };
  prototype.disconnect = async function (this: Connection) {
    const result = await disconnect.call(this as typeof prototype);
    if (!this.isConnected()) this.rejectRequests(new KafkaJSConnectionError('Closed while a request was made'));
    return result;
  };
}
