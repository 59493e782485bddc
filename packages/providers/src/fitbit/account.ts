import type { SeenDevice } from '@pulsewire/contract';
import { deviceOf } from '../kit/records/recorded-by.ts';
import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import type { AccountContext, AccountFacts, PullUser } from '../kit/types/connector.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { daysCompleted } from './context/last-sync.ts';
import { fitbitSlug } from './context/map-context.ts';

function textOrNull(node: JsonNode): string | null {
  return typeof node.value === 'string' ? node.value : null;
}

async function readDevices({ http }: AccountContext): Promise<Record<string, unknown>[]> {
  const { body } = await http.get('/1/user/-/devices.json');
  const devices = Array.isArray(body) ? body : [];
  return devices.slice(0, 50).map((device: unknown) => {
    const node = new JsonNode(device);
    return {
      id: node.at('id').optional((id) => id.id()),
      type: textOrNull(node.at('type')),
      model: textOrNull(node.at('deviceVersion')),
      last_sync_time: textOrNull(node.at('lastSyncTime')),
    };
  });
}

/**
 * The account facts that pulls need: `time_zone` and its history `time_zones`, and the `devices` if the user granted them. Without the
 * profile scope the zone is unknown and the user's fallback applies. `completed`: days that a tracker has uploaded only since the last
 * refresh.
 */
export async function readFitbitAccount(context: AccountContext): Promise<AccountFacts> {
  const facts = await readFacts(context);
  const { previous, now } = context;
  const completed = previous && now ? daysCompleted(previous, facts.account, now) : undefined;
  return completed ? { ...facts, completed } : facts;
}

async function readFacts(context: AccountContext): Promise<AccountFacts> {
  const { http, grantedScopes, previous = {}, now } = context;
  const devices = grantedScopes.includes('settings') ? { devices: await readDevices(context) } : {};
  if (!grantedScopes.includes('profile')) return { providerUserId: null, account: { ...previous, ...devices } };
  const { body } = await http.get('/1/user/-/profile.json');
  const user = new JsonNode(body).at('user');
  const timeZone = textOrNull(user.at('timezone'));
  const history = readZoneHistory(previous);
  return {
    providerUserId: textOrNull(user.at('encodedId')),
    account: {
      ...previous,
      ...devices,
      time_zone: timeZone,
      time_zones: timeZone === null || now === undefined ? history : extendZoneHistory(history, timeZone, now),
    },
  };
}

const sourceTypes: Readonly<Record<string, string>> = { TRACKER: 'watch', SCALE: 'scale' };

interface AccountDevice {
  readonly id?: string | null;
  readonly type?: string | null;
  readonly model?: string | null;
}

/** The devices in the account facts. Fitbit does not report which device a record comes from. */
export function fitbitDevices(user: PullUser): readonly SeenDevice[] {
  const list = user.account['devices'];
  return (Array.isArray(list) ? (list as readonly AccountDevice[]) : []).flatMap(({ id = null, type, model = null }) => {
    const sourceType = sourceTypes[type ?? ''] ?? 'unknown';
    const raw = { id, type: type ?? null, deviceVersion: model };
    return (
      deviceOf({ provider: fitbitSlug, user }, { externalId: id, sourceType, manufacturer: 'Fitbit', model, version: null, raw }) ?? []
    );
  });
}
