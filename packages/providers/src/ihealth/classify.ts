import { JsonNode } from '../kit/values/json-node.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** The error that a body names, with status 200 or another; null when there is none. */
function refusalIn(body: unknown): Refusal | null {
  const node = new JsonNode(body);
  const code = Number(node.at('ErrorCode').value ?? 0);
  const texts = [node.at('Error').value, node.at('ErrorDescription').value].filter((text) => typeof text === 'string');
  const isSuccess = code === 0 && texts.every((text) => text === '');
  return isSuccess ? null : { code, text: texts.join(' ') };
}

/**
 * Errors are recognised by their text, because their numbers vary, and few are known; others are treated as temporary. A missing permission
 * must not be read as an expired token: its text contains `authorized` too.
 */
export function findIhealthRefusal({ body }: JudgedResponse): ProviderVerdict | null {
  const refusal = refusalIn(body);
  if (refusal === null) return null;
  if (/\bs[cv]\b.*(?:wrong|invalid)|(?:wrong|invalid) s[cv]\b/i.test(refusal.text))
    return { code: 'provider_configuration', details: { reason: 'application_serial' } };
  if (/client[ _]?(?:id|secret)/i.test(refusal.text)) return { code: 'provider_configuration', details: { reason: 'invalid_client' } };
  if (/not authori[sz]ed the api/i.test(refusal.text)) return { code: 'provider_scope_missing' };
  if (/token|unauthori[sz]ed/i.test(refusal.text)) return { code: 'provider_token_expired' };
  if (/limit|frequen|too many/i.test(refusal.text)) return { code: 'provider_rate_limited' };
  return { code: 'provider_transient', details: { errorCode: refusal.code } };
}

/** The error of the token endpoint, which also reports errors with status 200. */
export function readTokenError({ body }: { readonly body: unknown }): string | null {
  const refusal = refusalIn(body);
  if (refusal === null) return null;
  if (/client|secret/i.test(refusal.text)) return 'invalid_client';
  return /code|token|grant/i.test(refusal.text) ? 'invalid_grant' : null;
}
