import { scopesBeyond, type ApiKey, type ApiKeyScope } from '@pulsewire/connections';
import { AppError } from '@pulsewire/kernel';
import { isWithinNetworks } from '@pulsewire/outbound';
import type { KeyContext } from '../../../context/context.ts';

function beyond(limits: string): AppError {
  return new AppError({ code: 'key_limits_exceeded', kind: 'forbidden', message: `This API key cannot grant or change ${limits}` });
}

/** A key can only grant scopes that it has. Throws AppError `key_scope_missing` (403) with the missing ones. */
export function assertGrantable({ key }: KeyContext, scopes: readonly ApiKeyScope[] | null): void {
  const missing = scopesBeyond(key.scopes, scopes);
  if (missing.length === 0) return;
  throw new AppError({
    code: 'key_scope_missing',
    kind: 'forbidden',
    message: `This API key cannot grant or change scopes that it lacks: ${missing.join(', ')}`,
  });
}

interface Limits {
  /** Null: none, undefined: unchanged. */
  readonly expiresAt?: Date | null | undefined;
  readonly allowedAddresses?: readonly string[] | null | undefined;
}

/**
 * A key that expires, or may be used from some addresses only, grants no later end and no other addresses, not even to itself. Throws
 * AppError `key_limits_exceeded` (403) with what it may grant.
 */
export function assertWithinLimits({ key }: KeyContext, { expiresAt, allowedAddresses }: Limits): void {
  const { expiresAt: end, allowedAddresses: networks } = key;
  if (end !== null && expiresAt !== undefined && (expiresAt === null || expiresAt > end))
    throw beyond(`an expiry after its own, ${end.toISOString()}`);
  if (networks === null || allowedAddresses === undefined) return;
  if (allowedAddresses === null || !allowedAddresses.every((network) => isWithinNetworks(network, networks)))
    throw beyond(`addresses outside of its own: ${networks.join(', ')}`);
}

/** A key changes, rotates and revokes itself and keys that it could have made. Throws the errors of both checks. */
export function assertChangeable(context: KeyContext, { keyId, scopes, ...limits }: ApiKey): void {
  if (keyId === context.key.keyId) return;
  assertGrantable(context, scopes);
  assertWithinLimits(context, limits);
}
