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

/** Recognised by identity; kafkajs passes lists of fewer than two topics on unchanged. */
const noTopics: readonly string[] = [];
const patched = new WeakSet<object>();

/**
 * kafkajs 2.2.4 requests the metadata of all topics when it needs none, and fails if any of them has a partition without a leader, so no
 * producer or admin could start while the only broker of an unrelated topic was down. With this patch it requests none; listing all topics
 * still works. Idempotent.
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
