import { sleep } from '@pulsewire/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCut } from '../../kit/http/send-cut.ts';
import { errorBody, FitbitError } from '../errors.ts';
import type { FaultKind } from '../../kit/faults.ts';
import type { SimulatorParts } from '../parts.ts';
import { authenticateClient } from './client-auth.ts';
import type { TokenAnswer } from './types.ts';

/** `POST /oauth2/token`: code or refresh token against a pair, with the faults of this endpoint. */
export async function answerToken(
  form: URLSearchParams,
  request: FastifyRequest,
  reply: FastifyReply,
  parts: SimulatorParts,
): Promise<FastifyReply> {
  const { faults } = parts;
  const { clientId } = authenticateClient(request.headers.authorization, parts.applications);
  const grantType = form.get('grant_type') ?? '';
  const strikes = (fault: FaultKind) => faults.strikes(fault, `token:${grantType}:${clientId}`);
  if (strikes('token_slow')) await sleep(faults.slowMs(), parts.closing);
  if (strikes('token_http_503')) throw new FitbitError(503, 'system', 'Service unavailable');
  // No error type: a client must not take this for a dead grant.
  if (grantType === 'refresh_token' && strikes('token_ambiguous_400')) return reply.code(400).send(errorBody('', 'Bad request'));

  const answer = exchange(form, grantType, clientId, parts);
  // Stored before it is answered: a simulator killed in between must know the pair that its client may have.
  parts.save();
  if (strikes('token_rotated_then_500')) throw new FitbitError(500, 'system', 'Internal error');
  if (strikes('token_rotated_then_cut')) {
    parts.statistics.request('oauth.token', 'cut');
    return sendCut(reply, JSON.stringify(answer));
  }
  return reply.send(answer);
}

function exchange(form: URLSearchParams, grantType: string, clientId: string, parts: SimulatorParts): TokenAnswer {
  const get = (name: string) => form.get(name) ?? undefined;
  const need = (name: string) => {
    const value = get(name);
    if (value === undefined) throw new FitbitError(400, 'invalid_request', `Missing ${name}`);
    return value;
  };
  if (grantType === 'authorization_code') {
    return parts.grants.exchangeCode({ code: need('code'), clientId, redirectUri: get('redirect_uri'), verifier: get('code_verifier') });
  }
  if (grantType === 'refresh_token') return parts.grants.refresh(need('refresh_token'), clientId);
  throw new FitbitError(400, 'unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
}
