import type { EmailLinkResultBody, LinkResultBody } from '@pulsewire/contract';
import type { LinkFailure, LinkOutcome, LinkRequested, PendingChallenge } from '@pulsewire/connections';

function common(outcome: LinkOutcome | LinkRequested) {
  const failure = outcome.state === 'error' ? outcome : null;
  return {
    state: outcome.state,
    redirect_url: outcome.redirectUrl,
    error_type: failure?.errorType ?? null,
    error: failure?.error ?? null,
  };
}

const mfaOf = ({ method, hint, choices }: PendingChallenge): NonNullable<LinkResultBody['provider_mfa']> => ({
  method,
  hint,
  ...(choices && { choices: [...choices] }),
});

/** The link result, including the deprecated fields, which existing clients still read. `username` is null where it is not known. */
export function renderLinkResult(
  outcome: LinkOutcome,
  { provider, username }: { provider: string; username: string | null },
): LinkResultBody {
  const connected = outcome.state === 'success';
  return {
    ...common(outcome),
    provider_mfa: outcome.state === 'pending_provider_mfa' ? mfaOf(outcome.mfa) : null,
    provider,
    connected,
    provider_id: connected ? username : null,
  };
}

/** The response to a link by e-mail: success means that it was requested. */
export function renderEmailLinkResult(outcome: LinkRequested | LinkFailure): EmailLinkResultBody {
  return { success: outcome.state === 'success', ...common(outcome) };
}
