import { errorCode } from '@pulsewire/kernel';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { openZone } from '../kit/time/zone.ts';
import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import { readService } from './call.ts';

/** The zone of the device that was read last; null when none tells one. */
function lastZone(body: unknown): string | null {
  const devices = readEach('device', new JsonNode(body).at('body').at('devices'), [], (item) => ({
    zone: item.at('timezone').text(),
    at: item.at('last_session_date').optional((node) => node.number()) ?? 0,
  }));
  const known = devices.filter(({ zone }) => openZone(zone) !== undefined);
  return known.toSorted((a, b) => b.at - a.at)[0]?.zone ?? null;
}

/** The zone of the user's devices, for the series that name none. Devices need the scope `user.info`; without it the zone stays unknown. */
export async function readWithingsAccount(context: AccountContext): Promise<AccountFacts> {
  const { http, providerUserId = null, previous = {}, now = new Date() } = context;
  try {
    const { body } = await readService(http, '/v2/user', { action: 'getdevice' });
    const zone = lastZone(body);
    if (zone === null) return { providerUserId, account: { ...previous } };
    const history = extendZoneHistory(readZoneHistory(previous), zone, now);
    return { providerUserId, account: { ...previous, time_zone: zone, time_zones: history } };
  } catch (error) {
    if (errorCode(error) !== 'provider_scope_missing') throw error;
    return { providerUserId, account: { ...previous } };
  }
}
