import fastify, { type FastifyInstance } from 'fastify';
import type { ApiAnswer, ApiRoute, SimulatorDefinition, SimulatorParts } from './definition.ts';
import { answerRoute, sendAnswer } from './http/answer-route.ts';
import { addOAuthRoutes } from './oauth/routes.ts';
import { createQuotaCounter } from './quota.ts';
import { Refusal } from './refusal.ts';
import type { RequestRecord } from './types.ts';

const bodyBytesMax = 10_000_000;
const plainRefusal = ({ status, reason, message }: Refusal): ApiAnswer => ({
  status,
  body: { error: rfcWords[reason] ?? reason, message },
});

// What OAuth endpoints say (RFC 6749).
const rfcWords: Readonly<Partial<Record<Refusal['reason'], string>>> = {
  grant_invalid: 'invalid_grant',
  client_invalid: 'invalid_client',
  request_invalid: 'invalid_request',
};

/** The HTTP side of a simulator, not yet listening. `onRequest` hears of every request after its answer. */
export function createSimulatorServer(
  definition: SimulatorDefinition,
  parts: SimulatorParts,
  onRequest: (record: RequestRecord) => void,
): FastifyInstance {
  const server = fastify({ bodyLimit: bodyBytesMax, forceCloseConnections: true, logger: false, exposeHeadRoutes: false });
  // Forms come as text; an empty POST may carry any content type.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const quota = definition.quota && createQuotaCounter(parts.clock, definition.quota);
  const context = { definition, parts, takeQuota: (key: string) => quota?.take(key) ?? null };
  const kinds = new Map<string, string>();
  const { oauth, apiPath = '', regionPaths = {} } = definition;
  const refuse = definition.refuse ?? plainRefusal;

  if (oauth) addOAuthRoutes(server, definition, oauth, parts);
  const mount = (route: ApiRoute, prefix: string) => {
    const url = `${prefix}${route.path}`;
    kinds.set(`${route.method} ${url}`, route.kind);
    server.route({ method: route.method, url, handler: (request, reply) => answerRoute(context, route, request, reply) });
  };
  for (const prefix of new Set([apiPath, ...Object.values(regionPaths)])) for (const route of definition.routes) mount(route, prefix);
  definition.extend?.(server, parts);

  server.addHook('onResponse', async (request, reply) => {
    const { pathname, search } = new URL(request.url, 'http://localhost');
    const kind = kinds.get(`${request.method} ${request.routeOptions.url}`) ?? (pathname === oauth?.tokenPath ? 'oauth.token' : 'unknown');
    onRequest({ method: request.method, path: pathname, query: search.slice(1), status: reply.statusCode, kind });
  });
  server.setNotFoundHandler((_request, reply) => sendAnswer(reply, refuse(new Refusal('not_found', 'No such resource'))));
  server.setErrorHandler((error, request, reply) => {
    const refusal = error instanceof Refusal ? error : new Refusal('server_error', 'Internal error');
    const isToken = request.url.split('?', 1)[0] === oauth?.tokenPath;
    // Every token endpoint answers in OAuth's words unless its definition says otherwise with the status of the refusal.
    const answer = isToken && definition.refuse === undefined ? plainRefusal(refusal) : refuse(refusal);
    return sendAnswer(reply, { ...answer, headers: { ...answer.headers, ...refusal.headers } });
  });
  return server;
}
