import { errorCode } from '@pulsewire/kernel';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';
import { openZone } from '../kit/time/zone.ts';
import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import { readService } from './call.ts';
import { readListed } from './devices.ts';

const devicesMax = 50;

/** The zone of the device that synced last; null when no device has one. */
function lastZone(list: JsonNode): string | null {
  const devices = readEach('device', list, [], (item) => ({
    zone: item.at('timezone').text(),
    at: item.at('last_session_date').optional((node) => node.number()) ?? 0,
  }));
  const known = devices.filter(({ zone }) => openZone(zone) !== undefined);
  return known.toSorted((a, b) => b.at - a.at)[0]?.zone ?? null;
}

/** The user's devices, and their zone for the series without one. Both need the scope `user.info`; without it they stay unknown. */
export async function readWithingsAccount(context: AccountContext): Promise<AccountFacts> {
  const { http, providerUserId = null, previous = {}, now = new Date() } = context;
  try {
    const { body } = await readService(http, '/v2/user', { action: 'getdevice' });
    const list = new JsonNode(body).at('body').at('devices');
    const devices = readEach('device', list, [], readListed).slice(0, devicesMax);
    const zone = lastZone(list);
    if (zone === null) return { providerUserId, account: { ...previous, devices } };
    const history = extendZoneHistory(readZoneHistory(previous), zone, now);
    return { providerUserId, account: { ...previous, devices, time_zone: zone, time_zones: history } };
  } catch (error) {
    if (errorCode(error) !== 'provider_scope_missing') throw error;
    return { providerUserId, account: { ...previous } };
  }
}
