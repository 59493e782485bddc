import { scopesBeyond, type ApiKeyScope } from '@pulsewire/connections';
import { AppError } from '@pulsewire/kernel';
import type { KeyContext } from '../../../context/context.ts';

/** A key can only grant scopes that it has. Throws AppError `key_scope_missing` (403) with the missing ones. */
export function assertGrantable({ key }: KeyContext, scopes: readonly ApiKeyScope[] | null): void {
  const missing = scopesBeyond(key.scopes, scopes);
  if (missing.length === 0) return;
  throw new AppError({
    code: 'key_scope_missing',
    kind: 'forbidden',
    message: `This API key cannot grant scopes that it lacks: ${missing.join(', ')}`,
  });
}
