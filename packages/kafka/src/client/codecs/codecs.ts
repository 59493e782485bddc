import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { AppError, noMetrics, type Metrics } from '@pulsewire/kernel';
import kafkajs from 'kafkajs';

/** Codecs that kafkajs cannot read by itself, and gzip, whose output it does not limit. */
type Codec = 'gzip' | 'snappy' | 'lz4' | 'zstd';

// A batch of the largest size that brokers accept by default, compressed a hundredfold. Gzip and zstd reach a thousandfold and more; the
// formats of snappy and lz4 allow no more than 22 and 255 bytes for one, so that such a batch ends by itself.
const decompressedBytesMax = 100 * 2 ** 20;

/** Loaded when the first record needs them: an installation whose brokers leave our gzip as it is never does. */
const decompressors: Readonly<Record<Codec, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: (bytes) => promisify(zlib.unzip)(bytes, { maxOutputLength: decompressedBytesMax }),
  snappy: async (bytes) => (await import('./snappy.ts')).decompressSnappy(bytes),
  lz4: async (bytes) => (await import('lz4-napi')).decompressFrame(bytes),
  // Part of Node from 22.15 on.
  zstd: (bytes) => promisify(zlib.zstdDecompress)(bytes, { maxOutputLength: decompressedBytesMax }),
};

// Consumers meet such records again every few seconds until they are read, or gone.
const faultLastsMs = 60_000;

const faults = new Map<Codec, { readonly error: AppError; readonly atMs: number }>();
let metrics: Metrics = noMetrics;

/** Why records of a topic cannot be read at the moment; undefined once they could be, or none was met for a minute. */
export function codecFault(nowMs = performance.now()): AppError | undefined {
  return [...faults.values()].find(({ atMs }) => nowMs - atMs < faultLastsMs)?.error;
}

/** The type of the error that ends a consumer when it meets such records. */
export const recordsUnreadable = 'RECORDS_UNREADABLE';

/** Ends the retries of kafkajs, which would decompress the same bytes again. */
class UnreadableRecords extends kafkajs.KafkaJSNonRetriableError {
  readonly type = recordsUnreadable;
  // The only error that ends a consumer of kafkajs without its retries.
  override name = 'KafkaJSNotImplemented';
}

async function decompress(codec: Codec, bytes: Buffer): Promise<Buffer> {
  try {
    const plain = await decompressors[codec](bytes);
    faults.delete(codec);
    return plain;
  } catch (cause) {
    const message = `Records compressed with ${codec} cannot be read, and events come from Postgres: set compression.type=producer on the topic`;
    const error = new AppError({ code: 'kafka_records_unreadable', kind: 'unavailable', message, cause });
    faults.set(codec, { error, atMs: performance.now() });
    metrics.count('kafka_records_unreadable_total', { codec });
    throw new UnreadableRecords(message);
  }
}

// We write with it.
const ownGzip = kafkajs.CompressionCodecs[kafkajs.CompressionTypes.GZIP];

/** Gives kafkajs the codecs that a broker or topic may convert records to. It writes with none of them. */
export function registerCodecs(): void {
  const { CompressionTypes, CompressionCodecs } = kafkajs;
  const types = { snappy: CompressionTypes.Snappy, lz4: CompressionTypes.LZ4, zstd: CompressionTypes.ZSTD } as const;
  CompressionCodecs[CompressionTypes.GZIP] = () => ({ ...ownGzip(), decompress: (bytes: Buffer) => decompress('gzip', bytes) });
  for (const codec of Object.keys(types) as (keyof typeof types)[]) {
    CompressionCodecs[types[codec]] = () => ({
      compress: () => Promise.reject(new TypeError(`Records are not compressed with ${codec}`)),
      decompress: (bytes: Buffer) => decompress(codec, bytes),
    });
  }
}

/** Counts unreadable records here. */
export function countUnreadable(into: Metrics): void {
  metrics = into;
}

/** Values of `compression.type` that this process can read. */
export function readableCompression(): ReadonlySet<string> {
  const always = ['producer', 'uncompressed', 'gzip', 'snappy', 'lz4'];
  return new Set(typeof zlib.zstdDecompress === 'function' ? [...always, 'zstd'] : always);
}
