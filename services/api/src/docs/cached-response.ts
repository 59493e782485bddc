import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from '../route/route.ts';

/** Whether one of the tags of `If-None-Match` is this one; weak ones count, because the bytes are the same. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** Sends an answer that never changes: built on first use, when every route is mounted; with an ETag, and 304 to whoever has it already. */
export function cachedAnswer(build: () => Answer): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  let built: { readonly bytes: Buffer; readonly headers: Record<string, string> } | undefined;
  return (request, reply) => {
    if (built === undefined) {
      const { headers, body } = build();
      const bytes = Buffer.from(String(body));
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      built = { bytes, headers: { ...headers, etag, 'cache-control': 'no-cache' } };
    }
    const { bytes, headers } = built;
    void reply.headers(headers);
    return isKnown(request.headers['if-none-match'], headers['etag'] as string)
      ? reply.code(304).removeHeader('content-type').send()
      : reply.send(bytes);
  };
}
