import type { FastifyInstance } from 'fastify';
import { ApiRefusal } from './portal-error.ts';
import type { ApiTransport } from './caller.ts';

const timeoutMs = 30_000;

/**
 * Sends requests to the API in this process: through all of its server, as a request over the network, but from the address of the person,
 * so that the key's allowed addresses, the limits of callers and the audit log are about that person.
 */
export function createLocalTransport(app: FastifyInstance): ApiTransport {
  return async ({ method, url, headers, body, address }) => {
    const sent = app.inject({ method, url, headers: { ...headers }, remoteAddress: address, ...(body !== undefined && { payload: body }) });
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new ApiRefusal(503, 'The API did not respond in time.')), timeoutMs).unref();
    try {
      const { statusCode, payload } = await Promise.race([sent, late.promise]);
      return { status: statusCode, text: payload };
    } finally {
      clearTimeout(timer);
    }
  };
}
