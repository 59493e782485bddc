import { classifyByStatus } from '../kit/connector-defaults.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

const minimumPattern = /before min start time(?: of (\S+?)(?=[\s"']|$))?/i;

/**
 * Garmin refuses data from earlier than about a month before the user's first consent: `start … before min start time of …`. Observed with
 * 400 and with 401; neither a new token nor a retry helps.
 */
function readOutOfReach(body: unknown): ProviderVerdict | null {
  const { value } = new JsonNode(body).at('errorMessage');
  const match = typeof value === 'string' ? minimumPattern.exec(value) : null;
  if (match === null) return null;
  const earliest = parseInstant(match[1] ?? '');
  return { code: 'provider_permanent', details: { reason: 'out_of_reach', ...(earliest && { earliestMs: earliest.ms }) } };
}

/** 403 and 412: the user does not share this, above all the history. */
export function classifyGarmin(response: JudgedResponse): ProviderVerdict {
  if (response.status === 403 || response.status === 412) return { code: 'provider_scope_missing' };
  return readOutOfReach(response.body) ?? classifyByStatus(response);
}
