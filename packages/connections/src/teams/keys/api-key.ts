import { createHash } from 'node:crypto';
import { AppError } from '@pulsewire/kernel';
import type { ApiKeyScope } from '../../model/api-key-scopes.ts';
import { apiKeys } from '../../model/tables.ts';

/** A key as it is listed: never the key itself, which is not stored. */
export interface ApiKey {
  readonly keyId: string;
  readonly teamId: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  /** Null: everything. */
  readonly scopes: ApiKeyScope[] | null;
  readonly expiresAt: Date | null;
  /** Networks in CIDR form that it may be used from; null: any. */
  readonly allowedAddresses: string[] | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
  /** Requests per second; null: the installation's default. */
  readonly rateLimit: number | null;
}

/** What may be chosen for a key; absent means no limit. */
export interface ApiKeyLimits {
  readonly scopes?: readonly ApiKeyScope[] | null;
  readonly expiresAt?: Date | null;
  readonly allowedAddresses?: readonly string[] | null;
  readonly rateLimit?: number | null;
}

/** Every column but the hash. */
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

/** A plain hash is enough: a key holds 238 random bits, there is no dictionary to try. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function keyNotFound(): AppError {
  return new AppError({ code: 'api_key_not_found', kind: 'not_found', message: 'No such API key' });
}
