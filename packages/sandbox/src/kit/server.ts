import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { ApiResponse, ApiRoute, SimulatorDefinition, SimulatorParts } from './definition/definition.ts';
import { respondToRoute, sendResponse } from './http/respond-to-route.ts';
import { addOAuthRoutes } from './oauth/routes.ts';
import { createQuotaCounter } from './http/quota.ts';
import type { AccountPerson } from './person/person.ts';
import { RefusalError, type RefusalReason } from './parts/refusal.ts';
import type { RequestRecord } from './types.ts';

const bodyBytesMax = 10_000_000;
const plainRefusal = ({ status, reason, message }: RefusalError): ApiResponse => ({
  status,
  body: { error: rfcWords[reason] ?? reason, message },
});

// Error codes of RFC 6749.
const rfcWords: Readonly<Partial<Record<RefusalReason, string>>> = {
  grant_invalid: 'invalid_grant',
  client_invalid: 'invalid_client',
  grant_type_unsupported: 'unsupported_grant_type',
  request_invalid: 'invalid_request',
};

/** Names of the OAuth endpoints among the kinds of requests. */
function oauthKinds({ oauth }: SimulatorDefinition<AccountPerson>): ReadonlyMap<string | undefined, string> {
  return new Map([
    [oauth?.authorizePath, 'oauth.authorize'],
    [oauth?.revokePath, 'oauth.revoke'],
    [oauth?.tokenPath, 'oauth.token'],
  ]);
}

/** What went wrong, whether a handler refused the request, it could not be read, or the simulator has a bug. */
function toRefusal(error: unknown): RefusalError {
  if (error instanceof RefusalError) return error;
  const status = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  return status < 500
    ? new RefusalError('request_invalid', 'The request could not be read', { status })
    : new RefusalError('server_error', 'Internal error');
}

/** The HTTP side of a simulator, not yet listening. `onRequest` is called for every request after its response. */
export function createSimulatorServer(
  definition: SimulatorDefinition<AccountPerson>,
  parts: SimulatorParts<AccountPerson>,
  onRequest: (record: RequestRecord) => void,
): FastifyInstance {
  const server = fastify({
    bodyLimit: bodyBytesMax,
    forceCloseConnections: true,
    logger: false,
    exposeHeadRoutes: false,
    // Names of data sources are longer than the default allows.
    routerOptions: { maxParamLength: 1000 },
  });
  // Forms come as text; an empty POST may carry any content type.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const quota = definition.quota && createQuotaCounter(parts.clock, definition.quota);
  const context = { definition, parts, takeQuota: (key: string) => quota?.take(key) ?? null };
  const kinds = new Map<string, string>();
  const { oauth, apiPath = '', regionPaths = {} } = definition;
  const refuse = definition.refuse ?? plainRefusal;

  if (oauth) addOAuthRoutes(server, definition, oauth, parts);
  const mount = (route: ApiRoute<AccountPerson>, prefix: string) => {
    const url = `${prefix}${route.path}`;
    kinds.set(`${route.method} ${url}`, route.kind);
    server.route({ method: route.method, url, handler: (request, reply) => respondToRoute(context, route, request, reply) });
  };
  for (const prefix of new Set([apiPath, ...Object.values(regionPaths)])) for (const route of definition.routes) mount(route, prefix);
  definition.extend?.(server, parts);

  const ofOAuth = oauthKinds(definition);
  const record = (request: FastifyRequest, status: RequestRecord['status']) => {
    const { pathname, search } = new URL(request.url, 'http://localhost');
    const kind = kinds.get(`${request.method} ${request.routeOptions.url}`) ?? ofOAuth.get(pathname) ?? 'unknown';
    onRequest({ method: request.method, path: pathname, query: search.slice(1), status, kind });
  };
  server.addHook('onRequest', async (request, reply) => {
    // An aborted response has no `onResponse`.
    reply.raw.once('close', () => {
      if (reply.raw.headersSent && !reply.raw.writableFinished) record(request, 'cut');
    });
  });
  server.addHook('onResponse', async (request, reply) => record(request, reply.statusCode));
  server.setNotFoundHandler((_request, reply) => sendResponse(reply, refuse(new RefusalError('not_found', 'No such resource'), 'api')));
  server.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error);
    const response = refuse(refusal, ofOAuth.has(request.url.split('?', 1)[0]) ? 'oauth' : 'api');
    return sendResponse(reply, { ...response, headers: { ...response.headers, ...refusal.headers } });
  });
  return server;
}
