import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { boundChunks } from './body-chunks.ts';

/** How long clients may take, ms. */
export interface ReadDeadlines {
  /** For the headers of a request. */
  readonly headersMs: number;
  /** For the whole body, except on routes that stream it and have deadlines of their own. */
  readonly bodyMs: number;
  /** For an idle connection, also one whose client does not read the response. Longer than any request takes. */
  readonly silenceMs: number;
}

export const readDeadlines: ReadDeadlines = { headersMs: 30_000, bodyMs: 30_000, silenceMs: 120_000 };

/** The rest of a body is read and discarded up to this many bytes, so that the connection can be reused. */
const drainBytesMax = 64 * 1024;

const readsItself = (request: FastifyRequest) => (request.routeOptions.config as { readonly streamsBody?: true }).streamsBody === true;

/** Whether the client disconnected, or was disconnected, before its body was complete. */
export function isAborted({ raw }: FastifyRequest): boolean {
  return raw.readableAborted && !isReceived(raw);
}

/** Node marks requests without a body as complete only after their handler has begun. Injected requests have no connection and are complete. */
function isReceived({ complete, headers }: { readonly complete?: boolean; readonly headers: IncomingHttpHeaders }): boolean {
  if (complete !== false) return true;
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/**
 * Sets a deadline for the body of every request, also on unknown paths, and handles bodies that were not read completely when the response
 * is sent: short ones are drained; after long ones the connection is closed, as announced in the response.
 */
export function boundBodies(app: FastifyInstance, { bodyMs }: ReadDeadlines): void {
  const cutLater = ({ raw }: FastifyRequest) => {
    if (isReceived(raw) || raw.destroyed) return;
    const timer = setTimeout(() => {
      if (!isReceived(raw)) raw.destroy();
    }, bodyMs).unref();
    raw.once('close', () => clearTimeout(timer));
  };
  // Without promises, so that the server's hooks see every request at once.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!readsItself(request)) cutLater(request);
    done();
  });
  // Only bodies in HTTP chunks can cost more than their bytes.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isChunked = request.headers['transfer-encoding'] !== undefined && !readsItself(request);
    done(null, isChunked ? boundChunks(payload as Readable) : payload);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { raw, headers } = request;
    if (!isReceived(raw) && !raw.destroyed) {
      const isShort = Number(headers['content-length'] ?? Number.NaN) <= drainBytesMax;
      if (!isShort) void reply.header('connection', 'close');
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (readsItself(request)) cutLater(request);
    // Node does this itself only when nothing has begun to read the body.
    request.raw.resume();
    done();
  });
}
