import { createHash } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';
import type { ApiKeyScope } from '../../model/api-key-scopes.ts';
import { apiKeys } from '../../model/tables.ts';

/** A key as it is listed. The key itself is not stored. */
export interface ApiKey {
  readonly keyId: string;
  readonly teamId: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** Null: all scopes. */
  readonly scopes: ApiKeyScope[] | null;
  readonly expiresAt: Date | null;
  /** Networks in CIDR notation from which it may be used; null: any. */
  readonly allowedAddresses: string[] | null;
  /** Accurate to the minute. */
  readonly lastUsedAt: Date | null;
  /** Requests per second; null: the installation's default. */
  readonly rateLimit: number | null;
}

/** Limits of a key; absent means none. */
export interface ApiKeyLimits {
  readonly scopes?: readonly ApiKeyScope[] | null;
  readonly expiresAt?: Date | null;
  readonly allowedAddresses?: readonly string[] | null;
  readonly rateLimit?: number | null;
}

/** Every column except the hash. */
export const keyColumns = {
  keyId: apiKeys.keyId,
  teamId: apiKeys.teamId,
  label: apiKeys.label,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
  scopes: apiKeys.scopes,
  expiresAt: apiKeys.expiresAt,
  allowedAddresses: apiKeys.allowedAddresses,
  lastUsedAt: apiKeys.lastUsedAt,
  rateLimit: apiKeys.rateLimit,
};

/** A plain hash is enough: a key has 238 random bits, which no dictionary contains. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function keyNotFound(): AppError {
  return new AppError({ code: 'api_key_not_found', kind: 'not_found', message: 'API key not found' });
}
