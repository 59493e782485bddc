import { JsonNode } from '../kit/values/json-node.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

/** The envelope reports with status 200 that a call failed; only that its `status` is not 0 is certain. */
export function findOmronRefusal({ body }: JudgedResponse): ProviderVerdict | null {
  const node = new JsonNode(body);
  const status = Number(node.at('status').value ?? 0);
  if (status === 0) return null;
  const reason = node.at('reason').value;
  if (typeof reason === 'string' && /token|unauthori[sz]ed/i.test(reason)) return { code: 'provider_token_expired' };
  return { code: 'provider_transient', details: { envelopeStatus: status } };
}
