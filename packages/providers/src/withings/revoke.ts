import { createHmac } from 'node:crypto';
import { JsonNode } from '../kit/values/json-node.ts';
import { providerError } from '../kit/http/provider-error.ts';
import type { OAuthApplication, RevocationCall } from '../kit/types/connector.ts';
import { classifyWithings, findWithingsRefusal } from './classify.ts';

/** Over the values, in the order of their names. */
function sign({ clientSecret }: OAuthApplication, ...values: readonly string[]): string {
  return createHmac('sha256', clientSecret).update(values.join(',')).digest('hex');
}

async function call({ http }: RevocationCall, path: string, form: Readonly<Record<string, string>>): Promise<JsonNode> {
  const response = await http.send({ method: 'POST', path, form });
  const verdict = response.status === 200 ? findWithingsRefusal(response) : classifyWithings(response);
  if (verdict !== null) throw providerError(verdict.code, { status: response.status }, verdict.retryAfterMs);
  return new JsonNode(response.body).at('body');
}

/** Revokes a consent: a signed request for a nonce, then a signed revocation with it. This also ends notifications. */
export async function revokeWithings(revocation: RevocationCall): Promise<boolean> {
  const { application, providerUserId } = revocation;
  if (providerUserId === null) return false;
  const { clientId } = application;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const requested = { action: 'getnonce', client_id: clientId, timestamp };
  const body = await call(revocation, '/v2/signature', { ...requested, signature: sign(application, 'getnonce', clientId, timestamp) });
  const nonce = body.at('nonce').value;
  if (typeof nonce !== 'string') throw providerError('provider_transient', { reason: 'no_nonce' });
  const signature = sign(application, 'revoke', clientId, nonce);
  await call(revocation, '/v2/oauth2', { action: 'revoke', client_id: clientId, userid: providerUserId, nonce, signature });
  return true;
}
