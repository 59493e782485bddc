import { AppError, type ErrorKind } from '@pulsewire/kernel';
import type { ProviderErrorCode } from '../types/connector.ts';

const verdicts: Readonly<Record<ProviderErrorCode, { kind: ErrorKind; retryable: boolean; message: string }>> = {
  provider_token_expired: { kind: 'unauthorized', retryable: true, message: 'The provider requires a new access token.' },
  provider_consent_revoked: { kind: 'forbidden', retryable: false, message: 'The user has withdrawn consent.' },
  provider_scope_missing: { kind: 'forbidden', retryable: false, message: 'The user did not grant a scope that this call needs.' },
  provider_account_state: { kind: 'upstream', retryable: true, message: 'The state of the provider account does not allow this call.' },
  provider_configuration: {
    kind: 'upstream',
    retryable: true,
    message: "The provider refuses the operator's application: its keys, project or approval must be corrected.",
  },
  provider_rate_limited: { kind: 'rate_limited', retryable: true, message: 'The provider rate limit was exceeded.' },
  provider_transient: { kind: 'unavailable', retryable: true, message: 'The provider is temporarily unavailable.' },
  provider_permanent: { kind: 'upstream', retryable: false, message: 'The provider rejected this call.' },
  provider_discontinued: { kind: 'upstream', retryable: false, message: 'The provider has shut this interface down.' },
};

/** An AppError with the kind and retryability of its code. */
export function providerError(code: ProviderErrorCode, details: Readonly<Record<string, unknown>>, retryAfterMs?: number): AppError {
  return new AppError({ code, ...verdicts[code], details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}
