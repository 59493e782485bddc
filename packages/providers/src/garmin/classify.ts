import { classifyByStatus } from '../kit/connector-defaults.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { JudgedAnswer, ProviderVerdict } from '../kit/types/connector.ts';

const minimumPattern = /before min start time(?: of (\S+?)(?=[\s"']|$))?/i;

/**
 * Data of before about a month before the user's first consent is not given: `start … before min start time of …`. Seen with 400 and with
 * 401; neither a fresh token nor a later try changes it.
 */
function readOutOfReach(body: unknown): ProviderVerdict | null {
  const { value } = new JsonNode(body).at('errorMessage');
  const match = typeof value === 'string' ? minimumPattern.exec(value) : null;
  if (match === null) return null;
  const earliest = parseInstant(match[1] ?? '');
  return { code: 'provider_permanent', details: { reason: 'out_of_reach', ...(earliest && { earliestMs: earliest.ms }) } };
}

/** 403 and 412: the user keeps that to himself, above all the history. */
export function classifyGarmin(answer: JudgedAnswer): ProviderVerdict {
  if (answer.status === 403 || answer.status === 412) return { code: 'provider_scope_missing' };
  return readOutOfReach(answer.body) ?? classifyByStatus(answer);
}
