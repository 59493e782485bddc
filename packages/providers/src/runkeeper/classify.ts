import { minuteMs } from '@pulsewire/kernel';
import { classifyByStatus } from '../kit/connector-defaults.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

const unitMs: Readonly<Record<string, number>> = { second: 1000, minute: minuteMs, hour: 60 * minuteMs, day: 1440 * minuteMs };
const waitDefaultMs = 15 * minuteMs;

/** A refusal for too many calls is a sentence, such as one that ends in "every 15 minutes". */
function readWait(bytes: Buffer | undefined): number {
  const match = /(\d{1,4}) (second|minute|hour|day)/i.exec(bytes?.subarray(0, 2000).toString('utf8') ?? '');
  return match === null ? waitDefaultMs : Number(match[1]) * (unitMs[match[2]?.toLowerCase() ?? ''] ?? minuteMs);
}

/** 403 is a kind of data that the vendor has not opened for the application; the list of activities is open to all. */
export function classifyRunkeeper(response: JudgedResponse): ProviderVerdict {
  if (response.status === 403) return { code: 'provider_scope_missing' };
  const verdict = classifyByStatus(response);
  if (response.status !== 429 || verdict.retryAfterMs !== undefined) return verdict;
  return { ...verdict, retryAfterMs: readWait(response.bytes) };
}
