import type { ProviderResponse, ProviderHttp } from '../kit/types/connector.ts';
import { services } from './dexcom.ts';

/** Share keeps one day, with a reading every five minutes. */
export const readingsMax = 288;
const minutesMax = 1440;

/** The latest readings of the last 24 hours, newest first. */
export function readLatest(http: ProviderHttp, count: number): Promise<ProviderResponse> {
  const query = { minutes: String(minutesMax), maxCount: String(count) };
  const headers = { accept: 'application/json' };
  return http.post(`${services}/Publisher/ReadPublisherLatestGlucoseValues`, { query, headers, json: {}, isRead: true });
}
