import { createRequire } from 'node:module';

/** The parts of kafkajs that the patch touches (kafkajs 2.2.4, src/cluster/brokerPool and src/protocol/encoder). */
interface BrokerPoolClass {
  readonly prototype: { refreshMetadata(topics: readonly string[]): Promise<void> };
}
interface EncoderClass {
  readonly prototype: {
    writeNullableArray(array: readonly unknown[], type?: string): unknown;
    writeArray(array: readonly unknown[], type: string | undefined, length: number): unknown;
  };
}

/** Told from other empty lists by being this one; kafkajs hands a list of less than two on as it is. */
const noTopics: readonly string[] = [];
const patched = new WeakSet<object>();

/**
 * kafkajs 2.2.4 asks for all topics of the cluster where it needs none, and fails when any of them has a partition without a leader. So
 * nobody could begin to write, or look after topics, while some other topic's only broker was away. With this it asks for none. Listing all
 * topics still does. Running it twice does no harm.
 */
export function patchMetadata(): void {
  const require = createRequire(import.meta.url);
  const { prototype: pool } = require('kafkajs/src/cluster/brokerPool') as BrokerPoolClass;
  const { prototype: encoder } = require('kafkajs/src/protocol/encoder') as EncoderClass;
  if (patched.has(pool)) return;
  patched.add(pool);
  const { refreshMetadata } = pool;
  pool.refreshMetadata = function (topics) {
    return refreshMetadata.call(this, topics.length === 0 ? noTopics : topics);
  };
  const { writeNullableArray } = encoder;
  encoder.writeNullableArray = function (array, type) {
    if (array !== noTopics) return writeNullableArray.call(this, array, type);
    this.writeArray(array, type, 0);
    return this;
  };
}
