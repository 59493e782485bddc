import fastify, { type FastifyInstance } from 'fastify';
import { answerApi } from './api/answer-api.ts';
import { matchRoute } from './api/routes.ts';
import { errorBody, FitbitError } from './errors.ts';
import { addOauthRoutes } from './oauth/routes.ts';
import type { SimulatorParts } from './parts.ts';

const bodyBytesMax = 65_536;

/** The HTTP side of a simulator, not yet listening. */
export function createServer(parts: SimulatorParts): FastifyInstance {
  const server = fastify({ bodyLimit: bodyBytesMax, forceCloseConnections: true, logger: false });
  // Forms come as text; an empty POST may carry any content type.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  addOauthRoutes(server, parts);
  for (const prefix of ['/1', '/1.1', '/1.2']) {
    server.route({
      method: ['GET', 'POST', 'DELETE'],
      url: `${prefix}/user/*`,
      exposeHeadRoute: false,
      handler: (request, reply) => answerApi(request, reply, parts),
    });
  }

  server.addHook('onResponse', async (request, reply) => parts.statistics.request(kindOf(request.method, request.url), reply.statusCode));
  server.setNotFoundHandler((_request, reply) => reply.code(404).send(errorBody('not_found', 'No such resource')));
  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof FitbitError)
      return reply.code(error.status).headers(error.headers).send(errorBody(error.errorType, error.message));
    const status = error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
    return reply
      .code(status)
      .send(errorBody(status < 500 ? 'validation' : 'system', status < 500 ? 'The request could not be read' : 'Internal error'));
  });
  return server;
}

function kindOf(method: string, url: string): string {
  const pathname = url.split('?', 1)[0] ?? '';
  const oauth = /^(?:\/1\.1)?\/oauth2\/(authorize|token|revoke|introspect)$/.exec(pathname);
  return oauth ? `oauth.${oauth[1]}` : (matchRoute(method, pathname)?.route.kind ?? 'unknown');
}
