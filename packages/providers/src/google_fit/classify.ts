import { errorCode, isAppError } from '@pulsewire/kernel';
import { classifyByStatus } from '../kit/connector-defaults.ts';
import { googleProjectFault } from '../kit/http/google-error.ts';
import { readRetryAfterMs } from '../kit/http/provider-retry-after.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';

const noSource = 'no_data_source';

function readReasons(body: unknown): string[] {
  const errors = new JsonNode(body).at('error').at('errors').value;
  if (!Array.isArray(errors)) return [];
  return errors.slice(0, 20).flatMap((error: unknown) => {
    const reason = new JsonNode(error).at('reason').value;
    return typeof reason === 'string' ? [reason] : [];
  });
}

const limits: ReadonlySet<string> = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'dailyLimitExceeded', 'quotaExceeded']);
const refusals: ReadonlySet<string> = new Set(['forbidden', 'insufficientPermissions']);

/**
 * How Google says that the user lacks a data type or stream: one text for a type, one for a stream in totals, one for a raw stream, with
 * spellings that vary; the last was seen only when writing.
 */
const absences = [/no default data ?source found/i, /data ?source(?: ?id)? not found/i, /unable to fetch data ?source/i];

/** Google's error model. A data type that the user has never recorded is rejected with a 400 or a 404, recognisable only by its text. */
export function classifyGoogleFit(response: JudgedResponse): ProviderVerdict {
  const { status, body, headers } = response;
  const message = new JsonNode(body).at('error').at('message').value;
  const text = typeof message === 'string' ? message.slice(0, 500) : '';
  if ((status === 400 || status === 404) && absences.some((absence) => absence.test(text)))
    return { code: 'provider_permanent', details: { reason: noSource } };
  if (status !== 403) return classifyByStatus(response);
  const reasons = readReasons(body);
  if (reasons.some((reason) => limits.has(reason))) {
    const retryAfterMs = readRetryAfterMs(headers);
    return { code: 'provider_rate_limited', ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (reasons.includes('accessNotConfigured')) return { code: 'provider_configuration', details: { reason: 'access_not_configured' } };
  const fault = googleProjectFault(body);
  if (fault !== null) return fault;
  const isScope = reasons.some((reason) => refusals.has(reason)) || /^Cannot read data of type/i.test(text);
  return { code: isScope ? 'provider_scope_missing' : 'provider_permanent' };
}

/** The result of a read; null when the user has no data of that type. */
export async function ifRecorded<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isAppError(error) && error.details['reason'] === noSource) return null;
    throw error;
  }
}

/** As `ifRecorded`, and null too when the scope of that type was not granted: for types that only add fields to a record. */
export async function ifReadable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await ifRecorded(read);
  } catch (error) {
    if (errorCode(error) !== 'provider_scope_missing') throw error;
    return null;
  }
}
