import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SimulatorParts } from '../parts.ts';
import { FitbitError } from '../errors.ts';
import { parseAuthorize, redirectTo } from './authorize-request.ts';
import { authenticateClient, bearerToken } from './client-auth.ts';
import { consentErrorPage, consentPage } from './consent-page.ts';
import { answerToken } from './token-endpoint.ts';

/** Authorization page, token endpoint, revocation and introspection. */
export function addOauthRoutes(server: FastifyInstance, parts: SimulatorParts): void {
  server.get('/oauth2/authorize', (request, reply) => {
    const parameters = new URL(request.url, 'http://localhost').searchParams;
    return showErrors(reply, () => {
      const parsed = parseAuthorize(parameters, parts.applications);
      if (parsed.outcome === 'refused') return reply.redirect(parsed.location, 302);
      return reply.type('text/html; charset=utf-8').send(consentPage(parsed.request, parts.accounts.list()));
    });
  });

  server.post('/oauth2/authorize', (request, reply) => showErrors(reply, () => decide(formOf(request), reply, parts)));

  server.post('/oauth2/token', (request, reply) => answerToken(formOf(request), request, reply, parts));

  server.post('/oauth2/revoke', (request, reply) => {
    const application = authenticateClient(request.headers.authorization, parts.applications);
    const ended = parts.grants.revokeToken(formOf(request).get('token') ?? '', application.clientId);
    if (!ended) throw new FitbitError(400, 'invalid_token', 'Token unknown');
    parts.subscriptions.dropOwner(ended.clientId, ended.ownerId);
    parts.save();
    return reply.send({});
  });

  server.post('/1.1/oauth2/introspect', (request, reply) => {
    const { grant: caller } = parts.grants.authenticate(bearerToken(request.headers.authorization));
    try {
      const { grant, expiresAtMs, issuedAtMs } = parts.grants.authenticate(formOf(request).get('token') ?? '');
      if (grant.clientId !== caller.clientId) return reply.send({ active: false });
      const scope = `{${grant.scopes.map((name) => `${name.toUpperCase()}=READ_WRITE`).join(', ')}}`;
      return reply.send({
        active: true,
        scope,
        client_id: grant.clientId,
        user_id: grant.ownerId,
        token_type: 'access_token',
        exp: expiresAtMs,
        iat: issuedAtMs,
      });
    } catch (error) {
      if (error instanceof FitbitError) return reply.send({ active: false });
      throw error;
    }
  });
}

function decide(form: URLSearchParams, reply: FastifyReply, parts: SimulatorParts): FastifyReply {
  const parsed = parseAuthorize(form, parts.applications);
  if (parsed.outcome === 'refused') return reply.redirect(parsed.location, 302);
  const { clientId, redirectUri, scopes, challenge, state } = parsed.request;
  if (form.get('decision') !== 'allow') {
    return reply.redirect(
      redirectTo(redirectUri, { error: 'access_denied', error_description: 'The user denied the request.', state }),
      302,
    );
  }
  const account = parts.accounts.byName(form.get('account') ?? '');
  if (!account) throw new FitbitError(400, 'validation', 'No such account');
  const granted = scopes.filter((scope) => form.getAll('granted').includes(scope));
  if (granted.length === 0) throw new FitbitError(400, 'validation', 'Tick at least one kind of data');
  const code = parts.grants.issueCode({ clientId, ownerId: account.ownerId, redirectUri, scopes: granted, challenge });
  return reply.redirect(redirectTo(redirectUri, { code, state }), 302);
}

function formOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
}

// A person looks at these two answers, so errors are pages too.
function showErrors(reply: FastifyReply, answer: () => FastifyReply): FastifyReply {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof FitbitError)) throw error;
    return reply.code(error.status).type('text/html; charset=utf-8').send(consentErrorPage(error.message));
  }
}
