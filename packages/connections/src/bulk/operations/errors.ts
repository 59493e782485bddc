import { AppError } from '@pulsewire/kernel';

/** Off until an operator switches it on. */
export function bulkDisabled(): AppError {
  return new AppError({ code: 'bulk_disabled', kind: 'forbidden', message: 'Bulk operations are not enabled for this team' });
}

/** Tokens belong to an application; without the team's own nobody here could renew them. */
export function teamCredentialMissing(provider: string): AppError {
  return new AppError({
    code: 'team_credential_missing',
    kind: 'invalid',
    message: 'The team has no OAuth application credential of its own for this provider',
    details: { provider },
  });
}

/** Unknown, and of another team. */
export function operationNotFound(): AppError {
  return new AppError({ code: 'bulk_operation_not_found', kind: 'not_found', message: 'Bulk operation not found' });
}
