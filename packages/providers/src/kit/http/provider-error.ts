import { AppError, type ErrorKind } from '@pulsewire/kernel';
import type { ProviderErrorCode } from '../types/connector.ts';

const verdicts: Readonly<Record<ProviderErrorCode, { kind: ErrorKind; retryable: boolean; message: string }>> = {
  provider_token_expired: { kind: 'unauthorized', retryable: true, message: 'The provider wants a fresh access token.' },
  provider_consent_revoked: { kind: 'forbidden', retryable: false, message: 'The user has withdrawn the consent.' },
  provider_scope_missing: { kind: 'forbidden', retryable: false, message: 'The user did not grant what this call needs.' },
  provider_account_state: { kind: 'upstream', retryable: true, message: 'The account at the provider does not allow this now.' },
  provider_rate_limited: { kind: 'rate_limited', retryable: true, message: 'The quota at the provider is used up.' },
  provider_transient: { kind: 'unavailable', retryable: true, message: 'The provider cannot answer now.' },
  provider_permanent: { kind: 'upstream', retryable: false, message: 'The provider refuses this call.' },
};

/** An AppError with the verdict of its class. */
export function providerError(code: ProviderErrorCode, details: Readonly<Record<string, unknown>>, retryAfterMs?: number): AppError {
  return new AppError({ code, ...verdicts[code], details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}
