import { sleep } from '@pulsewire/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OAuthSpec, SimulatorDefinition, SimulatorParts } from '../definition/definition.ts';
import type { FaultKind } from '../parts/faults.ts';
import { sendResponse } from '../http/respond-to-route.ts';
import { sendCut } from '../http/send-cut.ts';
import type { AccountPerson } from '../person/person.ts';
import { RefusalError } from '../parts/refusal.ts';
import type { SimulatorApplication } from '../types.ts';
import { readClient } from './client-auth.ts';
import { consentErrorPage, consentPage } from './consent.ts';
import type { Grant, Pair } from '../accounts/grants.ts';

interface AuthorizeRequest {
  readonly application: SimulatorApplication;
  readonly redirectUri: string;
  readonly asked: readonly string[];
  readonly challenge: string | null;
  readonly state: string | null;
  /** When set, the error is returned to the application by a redirect. */
  readonly error: { readonly error: string; readonly error_description: string } | null;
}

/** Throws `client_invalid` or `request_invalid` when the application or redirect address is unknown, because then no redirect is safe. */
function readAuthorize(parameters: URLSearchParams, spec: OAuthSpec, parts: SimulatorParts<AccountPerson>): AuthorizeRequest {
  const application = parts.applications.get(parameters.get('client_id') ?? '');
  if (!application) throw new RefusalError('client_invalid', 'Unknown client_id', { status: 400 });
  const [only, ...others] = application.redirectUris;
  const redirectUri = parameters.get('redirect_uri') ?? (others.length === 0 ? only : undefined) ?? '';
  const registered = spec.losesState === true ? (redirectUri.split('?')[0] ?? '') : redirectUri;
  if (!application.redirectUris.includes(registered))
    throw new RefusalError('request_invalid', 'The redirect_uri is not one of the application');
  const given = (separator: string) => [
    ...new Set((parameters.get(spec.scopeParameter ?? 'scope') ?? '').split(separator).filter(Boolean)),
  ];
  const requested = spec.scopeSeparator === null ? spec.scopes : given(spec.scopeSeparator);
  const challenge = parameters.get('code_challenge');
  const isBadChallenge = challenge !== null && parameters.get('code_challenge_method') !== 'S256';
  const errors: readonly (readonly [boolean, string, string])[] = [
    [parameters.get('response_type') !== 'code', 'unsupported_response_type', 'response_type must be code'],
    [isBadChallenge, 'invalid_request', 'code_challenge_method must be S256'],
    [spec.pkce === 'required' && challenge === null, 'invalid_request', 'code_challenge is required'],
    [requested.length === 0 || requested.some((scope) => !spec.scopes.includes(scope)), 'invalid_scope', 'Unknown or no scope'],
  ];
  const wrong = errors.find(([isWrong]) => isWrong);
  const error = wrong ? { error: wrong[1], error_description: wrong[2] } : null;
  const isSent = spec.pkce !== 'none' && challenge !== null;
  return { application, redirectUri, asked: requested, challenge: isSent ? challenge : null, state: parameters.get('state'), error };
}

function redirect(reply: FastifyReply, to: string, parameters: Readonly<Record<string, string | null>>): FastifyReply {
  const url = new URL(to);
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
  return reply.redirect(url.toString(), 302);
}

function decide(form: URLSearchParams, reply: FastifyReply, spec: OAuthSpec, parts: SimulatorParts<AccountPerson>): FastifyReply {
  const { application, redirectUri, asked, challenge, state, error } = readAuthorize(form, spec, parts);
  if (error !== null) return redirect(reply, redirectUri, { ...error, state });
  if (form.get('decision') !== 'allow')
    return redirect(reply, redirectUri, { error: 'access_denied', error_description: 'The user denied the request.', state });
  const account = parts.accounts.byName(form.get('account') ?? '');
  if (!account) throw new RefusalError('request_invalid', 'No such account');
  if (!form.has('granted')) throw new RefusalError('request_invalid', 'Tick at least one kind of data');
  const ticked = form.getAll('granted').filter(Boolean);
  const granted = ticked.length === 0 ? asked : asked.filter((scope) => ticked.includes(scope));
  const { providerUserId } = account;
  const registered = spec.losesState === true ? (redirectUri.split('?')[0] ?? '') : redirectUri;
  const grant = { clientId: application.clientId, providerUserId, redirectUri: registered, scopes: granted, challenge };
  const code = parts.grants.issueCode(grant);
  const scope = spec.scopeInCallback === true ? granted.join(spec.scopeSeparator ?? ' ') : null;
  const isLost = spec.losesState === true && !account.name.startsWith('Stateful');
  return redirect(reply, redirectUri, { code, state: isLost ? null : state, scope });
}

const grantTypeOf = (form: URLSearchParams, spec: OAuthSpec): string => spec.grantType?.(form) ?? form.get('grant_type') ?? '';

/** Throws a refusal where a person has too many consents in force for an application. */
function assertFewer(spec: OAuthSpec, grant: Grant | undefined, parts: SimulatorParts<AccountPerson>, others: number): void {
  if (!spec.grantsMax || !grant) return;
  const { count, message } = spec.grantsMax;
  const inForce = parts.grants.of(grant.providerUserId).filter(({ clientId }) => clientId === grant.clientId);
  if (inForce.length - others >= count) throw new RefusalError('conflict', message, { status: 400 });
}

function exchange(form: URLSearchParams, spec: OAuthSpec, clientId: string, parts: SimulatorParts<AccountPerson>): Pair {
  const grantType = grantTypeOf(form, spec);
  const need = (name: string) => {
    const value = form.get(name);
    if (value === null) throw new RefusalError('request_invalid', `Missing ${name}`);
    return value;
  };
  spec.check?.(form);
  if (grantType === 'refresh_token' && spec.refresh !== 'none') {
    assertFewer(spec, parts.grants.find(need('refresh_token')), parts, 0);
    return parts.grants.refresh(need('refresh_token'), clientId);
  }
  if (grantType !== 'authorization_code') throw new RefusalError('grant_type_unsupported', 'Unsupported grant_type');
  const verifier = spec.pkce === 'required' ? need('code_verifier') : form.get('code_verifier');
  const pair = parts.grants.exchange({ code: need('code'), clientId, redirectUri: form.get('redirect_uri'), verifier });
  try {
    assertFewer(spec, pair.grant, parts, 1);
  } catch (error) {
    // Nothing was granted, but the code is used.
    parts.grants.endOne(pair.grant.grantId);
    throw error;
  }
  return pair;
}

function plainTokenResponse({ grant, accessToken, refreshToken, expiresIn }: Pair, separator: string): object {
  return {
    access_token: accessToken,
    token_type: 'bearer',
    ...(refreshToken !== null && { refresh_token: refreshToken }),
    ...(expiresIn !== null && { expires_in: expiresIn }),
    scope: grant.scopes.join(separator),
  };
}

async function respondToTokenRequest(
  definition: SimulatorDefinition<AccountPerson>,
  spec: OAuthSpec,
  parts: SimulatorParts<AccountPerson>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { faults } = parts;
  const trouble = parts.troubles.responseTo('oauth.token', { headers: request.headers, json: undefined });
  if (trouble) return sendResponse(reply, trouble);
  const body = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const query = new URL(request.url, 'http://localhost').searchParams;
  const form = spec.clientAuth === 'query' ? new URLSearchParams([...query, ...body]) : body;
  const { clientId } = readClient(spec.clientAuth, request.headers.authorization, form, parts.applications);
  const grantType = grantTypeOf(form, spec);
  const strikes = (fault: FaultKind) => faults.strikes(fault, `token:${grantType}:${clientId}`);
  if (strikes('token_slow')) await sleep(faults.slowMs(), parts.closing);
  if (strikes('token_http_503')) throw new RefusalError('server_error', 'Service unavailable', { status: 503 });
  // No OAuth error code: a client must not take this for a revoked grant.
  if (grantType === 'refresh_token' && strikes('token_ambiguous_400')) return reply.code(400).send({ message: 'Bad request' });
  const pair = exchange(form, spec, clientId, parts);
  // Saved before responding: after a crash the client may already hold the new pair.
  parts.save();
  if (strikes('token_rotated_then_500')) throw new RefusalError('server_error', 'Internal error');
  const { accessToken, refreshToken, expiresIn, grant } = pair;
  const account = parts.accounts.byProviderUserId(grant.providerUserId);
  if (!account) throw new RefusalError('grant_invalid', 'The account is gone');
  const response =
    spec.tokenResponse?.({ grantType, accessToken, refreshToken, expiresIn, account, scopes: grant.scopes }) ??
    plainTokenResponse(pair, spec.scopeSeparator ?? ' ');
  if (strikes('token_rotated_then_cut')) return sendCut(reply, JSON.stringify(response));
  return reply.type('application/json').send(JSON.stringify(response));
}

/** Authorization page, token endpoint and RFC 7009 revocation. */
export function addOAuthRoutes(
  server: FastifyInstance,
  definition: SimulatorDefinition<AccountPerson>,
  spec: OAuthSpec,
  parts: SimulatorParts<AccountPerson>,
): void {
  const formOf = (request: FastifyRequest) => new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  // People see these, so errors are pages too.
  const asPage = (reply: FastifyReply, respond: () => FastifyReply) => {
    try {
      return respond();
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      return reply.code(error.status).type('text/html; charset=utf-8').send(consentErrorPage(error.message));
    }
  };
  const isTokenGet = spec.tokenMethod === 'GET';
  const respondToToken = (request: FastifyRequest, reply: FastifyReply) => respondToTokenRequest(definition, spec, parts, request, reply);
  server.get(spec.authorizePath, (request, reply) => {
    const parameters = new URL(request.url, 'http://localhost').searchParams;
    if (isTokenGet && spec.tokenPath === spec.authorizePath && grantTypeOf(parameters, spec) !== '') return respondToToken(request, reply);
    return asPage(reply, () => {
      const { application, redirectUri, asked, state, error } = readAuthorize(parameters, spec, parts);
      if (error !== null) return redirect(reply, redirectUri, { ...error, state });
      const note = spec.consentNote ?? 'people and data are made up';
      const form = {
        provider: definition.slug,
        note,
        clientId: application.clientId,
        action: spec.authorizePath,
        scopes: asked,
        parameters,
      };
      return reply.type('text/html; charset=utf-8').send(consentPage(form, parts.accounts.list()));
    });
  });
  server.post(spec.authorizePath, (request, reply) => asPage(reply, () => decide(formOf(request), reply, spec, parts)));
  if (!isTokenGet) server.post(spec.tokenPath, respondToToken);
  else if (spec.tokenPath !== spec.authorizePath) server.get(spec.tokenPath, respondToToken);
  if (spec.revokePath === undefined || spec.hasPlainRevocation !== true) return;
  server.post(spec.revokePath, (request, reply) => {
    const form = formOf(request);
    const { clientId } = readClient(spec.clientAuth, request.headers.authorization, form, parts.applications);
    const grant = parts.grants.find(form.get('token') ?? '');
    if (grant?.clientId !== clientId) throw new RefusalError('token_invalid', 'Token unknown', { status: 400 });
    parts.grants.endOne(grant.grantId);
    definition.onConsentEnded?.(grant, parts);
    parts.save();
    return reply.send({});
  });
}
