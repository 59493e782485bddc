import type { HistoricalPull } from '@pulsewire/ingest';

/** Why a pull is retried, by the code of its last failure. */
const retried: Readonly<Record<string, string>> = {
  provider_rate_limited: 'provider_rate_limit_exceeded',
  provider_quota_spent: 'provider_rate_limit_exceeded',
  window_exceeds_quota: 'provider_rate_limit_exceeded',
  provider_transient: 'provider_unavailable',
  provider_maintenance: 'provider_unavailable',
  lease_lost: 'resource_contention',
  request_timeout: 'transport_failure',
  request_failed: 'transport_failure',
};
const final: Readonly<Record<string, string>> = {
  provider_permanent: 'non_retriable_error',
  provider_discontinued: 'non_retriable_error',
  connection_removed: 'non_retriable_error',
  object_forgotten: 'non_retriable_error',
};

/** The public reason of a retried or failed pull; null for all others. */
export function pullError({ status, errorCode }: Pick<HistoricalPull, 'status' | 'errorCode'>): string | null {
  if (status === 'retrying') return retried[errorCode ?? ''] ?? 'provider_unavailable';
  if (status !== 'failure') return null;
  const code = errorCode ?? '';
  return final[code] ?? (Object.hasOwn(retried, code) ? 'retry_quota_exhausted' : 'unexpected_error');
}
