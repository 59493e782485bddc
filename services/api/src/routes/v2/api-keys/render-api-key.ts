import type { ApiKey } from '@pulsewire/connections';
import { renderDateTime } from '@pulsewire/contract';
import type { ApiKeyBody } from '../../../schemas/api-keys.ts';

const instant = (date: Date | null) => (date === null ? null : renderDateTime(date.getTime()));

export function renderApiKey(key: ApiKey): ApiKeyBody {
  return {
    id: key.keyId,
    label: key.label,
    scopes: key.scopes,
    allowed_addresses: key.allowedAddresses,
    created_at: renderDateTime(key.createdAt.getTime()),
    expires_at: instant(key.expiresAt),
    revoked_at: instant(key.revokedAt),
    rate_limit: key.rateLimit,
    last_used_at: instant(key.lastUsedAt),
  };
}
