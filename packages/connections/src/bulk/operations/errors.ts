import { AppError } from '@pulsewire/kernel';

/** Disabled until an operator enables bulk operations for the team. */
export function bulkDisabled(): AppError {
  return new AppError({ code: 'bulk_disabled', kind: 'forbidden', message: 'Bulk operations are not enabled for this team' });
}

/** Tokens belong to an application: without the team's own they could not be refreshed. */
export function teamCredentialMissing(provider: string): AppError {
  return new AppError({
    code: 'team_credential_missing',
    kind: 'invalid',
    message: 'The team has no OAuth credentials of its own for this provider',
    details: { provider },
  });
}

/** Unknown, or of another team. */
export function operationNotFound(): AppError {
  return new AppError({ code: 'bulk_operation_not_found', kind: 'not_found', message: 'Bulk operation not found' });
}
