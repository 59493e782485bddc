import type { Database } from '@pulsewire/database';
import { createProviderHttp, type ProviderHttpOptions } from '@pulsewire/providers';
import { drawVersion } from '@pulsewire/store';
import type { UnsubscribeContext } from './unsubscribe.ts';

/** Calls to providers that delete subscriptions, made as the connection that is removed. */
export function createUnsubscribing(
  database: Database,
  http: ProviderHttpOptions['http'],
  connectorFor: UnsubscribeContext['connectorFor'],
): UnsubscribeContext {
  return {
    connectorFor,
    httpFor: (call) => createProviderHttp({ ...call, http, endpoints: call.connector.endpoints, drawVersion: () => drawVersion(database) }),
  };
}
