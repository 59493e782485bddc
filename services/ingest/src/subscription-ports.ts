import { listApplications, type ProviderSettings } from '@pulsewire/connections';
import type { Cipher, Database } from '@pulsewire/database';
import { pushAddress, type SubscriptionPorts } from '@pulsewire/ingest';
import type { Logger } from '@pulsewire/kernel';
import type { HttpClient } from '@pulsewire/outbound';
import { createLoginHttp } from '@pulsewire/providers';

export interface SubscriptionPartsNeeded {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly logger: Logger;
  readonly http: HttpClient;
  readonly providers: Pick<ProviderSettings, 'platformApplication' | 'pushVerificationCode'>;
  /** Our address as providers reach it; undefined: they cannot. */
  readonly baseUrl: string | undefined;
}

/** Dependencies of ingest for push subscriptions. */
export function createSubscriptionPorts(parts: SubscriptionPartsNeeded): SubscriptionPorts {
  const { database, cipher, http, providers, baseUrl } = parts;
  return {
    addressOf(connector, owner) {
      const verificationCode = providers.pushVerificationCode(connector.slug);
      return baseUrl === undefined ? null : pushAddress(connector, { baseUrl, verificationCode, owner });
    },
    async applicationOf(provider, owner) {
      if (owner === 'platform') return providers.platformApplication(provider);
      const own = await listApplications(database, parts, provider);
      return own.find(({ teamId }) => teamId === owner) ?? null;
    },
    loginHttpFor: ({ endpoints }, signal) => createLoginHttp({ http, endpoints, signal }),
    seal: (text, row) => cipher.seal(text, row),
    open: (sealed, row) => cipher.open(sealed, row),
  };
}
