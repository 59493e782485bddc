import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteResponse } from '../route/route.ts';

const compress = promisify(gzip);

interface Built {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function buildFrom(build: () => RouteResponse | Promise<RouteResponse>): Promise<Built> {
  const { headers = {}, body } = await build();
  const plain = Buffer.isBuffer(body) ? body : Buffer.from(String(body));
  const etag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { plain, gzipped: await compress(plain), etag, headers: { ...headers, 'cache-control': 'no-cache', vary: 'accept-encoding' } };
}

/** Whether `If-None-Match` names this tag. Weak tags match too, because the bytes are the same. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** Accepts a listed gzip unless its weight is zero. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const listed = String(header ?? '').split(',');
  return listed.some((coding) => /^\s*gzip\s*(;|$)/i.test(coding) && !/;\s*q=0(\.0*)?\s*$/i.test(coding));
}

/**
 * Sends a response that never changes. It is built on the first request, when every route is mounted, and compressed once; it has an ETag,
 * and clients that already have it get 304.
 */
export function cachedResponse(build: () => RouteResponse | Promise<RouteResponse>) {
  let built: Promise<Built> | undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    built ??= buildFrom(build);
    const { plain, gzipped, etag, headers } = await built.catch((error: unknown) => {
      built = undefined;
      throw error;
    });
    const isGzip = acceptsGzip(request.headers['accept-encoding']);
    const tag = isGzip ? `"${etag}-gzip"` : `"${etag}"`;
    void reply.headers({ ...headers, etag: tag });
    if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).removeHeader('content-type').send();
    return isGzip ? reply.header('content-encoding', 'gzip').send(gzipped) : reply.send(plain);
  };
}
