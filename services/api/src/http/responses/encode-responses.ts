import { Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, type BrotliOptions, type ZlibOptions } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { negotiate } from '@fastify/accept-negotiator';
import { entityTag, isTagKnown } from './entity-tag.ts';

/** Below this a compressed response saves less than a packet. */
const compressedBytesMin = 1400;
const encodings = ['br', 'gzip'];
// Fast levels reduce JSON of samples to a tenth; higher ones cost several times the CPU.
const brotliOptions: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const gzipOptions: ZlibOptions = { level: 4 };

const compressText: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => promisify<string, BrotliOptions, Buffer>(brotliCompress)(text, brotliOptions),
  gzip: (text) => promisify<string, ZlibOptions, Buffer>(gzip)(text, gzipOptions),
};
const compressStream: Readonly<Record<string, () => Transform>> = {
  br: () => createBrotliCompress(brotliOptions),
  gzip: () => createGzip(gzipOptions),
};

const isCompressible = (payload: unknown): payload is string | Readable =>
  payload instanceof Readable || (typeof payload === 'string' && payload.length >= compressedBytesMin);

/** The payload in the best encoding that the client accepts; unchanged when it accepts none. */
async function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (!isCompressible(payload)) return payload;
  void reply.header('vary', 'accept-encoding');
  const accepted = request.headers['accept-encoding'];
  const encoding = accepted === undefined ? null : negotiate(accepted, encodings);
  if (encoding === null) return payload;
  void reply.header('content-encoding', encoding).removeHeader('content-length');
  if (typeof payload === 'string') return compressText[encoding]?.(payload);
  const transform = compressStream[encoding]?.() as Transform;
  payload.once('error', (error) => transform.destroy(error));
  transform.once('close', () => payload.destroy());
  return payload.pipe(transform);
}

/**
 * Adds an entity tag to responses of reads, responds 304 to a matching `If-None-Match`, and compresses large bodies. A streamed response
 * has its own tag, derived from the state of its window, because its text is not known before it is sent.
 */
export function encodeResponses(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.key === null || reply.statusCode !== 200) return payload;
    if (request.method === 'GET') {
      if (typeof payload === 'string' && !reply.hasHeader('etag')) void reply.header('etag', entityTag(payload));
      const tag = reply.getHeader('etag');
      if (typeof tag === 'string' && isTagKnown(request.headers['if-none-match'], tag)) {
        if (payload instanceof Readable) payload.destroy();
        void reply.code(304).removeHeader('content-type').removeHeader('content-length');
        return '';
      }
    }
    return compress(request, reply, payload);
  });
}
