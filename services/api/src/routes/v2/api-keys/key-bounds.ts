import { scopesBeyond, type ApiKey, type ApiKeyScope } from '@pulsewire/connections';
import type { ValidationError } from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { isWithinNetworks } from '@pulsewire/outbound';
import type { KeyContext } from '../../../context/context.ts';
import { dateTimeMs } from '../../../validate/formats.ts';
import { fieldError, validationError } from '../../../validate/validate-request.ts';

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

/** A key that has expired would be no key; to end one, revoke it. */
export function futureEnd(text: string | null | undefined, now: Date): readonly ValidationError[] {
  if (text === null || text === undefined || dateTimeMs(text) > now.getTime()) return [];
  return [fieldError(['body', 'expires_at'], 'Must be in the future; to end a key at once, revoke it', text)];
}

/**
 * The rate limit that the API may grant to a key: no higher than the default or the operator's setting, and no higher than that of
 * the requesting key, which is also the meaning of `null` or an absent field. Throws AppError `request_invalid` with the allowed range.
 */
export function grantedRate({ key, settings }: KeyContext, wanted: number | null | undefined, current: number | null): number | null {
  const own = key.rateLimit ?? settings.rateLimit;
  const most = Math.min(own, current ?? settings.rateLimit);
  if (settings.rateLimit === 0) return wanted ?? null;
  if (wanted === null || wanted === undefined) return most < settings.rateLimit ? most : null;
  if (wanted <= most) return wanted;
  const msg = `Must be at most ${most}: only an operator can raise the rate limit of a key`;
  throw validationError([fieldError(['body', 'rate_limit'], msg, wanted, 'less_than_equal')]);
}
