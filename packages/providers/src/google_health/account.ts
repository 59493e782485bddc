import type { SeenDevice } from '@pulsewire/contract';
import { isAppError } from '@pulsewire/kernel';
import { ifOffered, nextPageToken } from './data-points.ts';
import { knewTypes, learnDeviceTypes, sourceOfPoint } from './device-types.ts';
import { identityRegion, googleHealthSlug, googleScopes, identityScope } from './google-health.ts';
import { readLastSegment } from './read-point.ts';
import { collectPages } from '../kit/http/collect-pages.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { textOrNull, deviceFields, deviceOf, namedDevice } from '../kit/records/recorded-by.ts';
import { addDays, msToDay } from '../kit/time/days.ts';
import { extendZoneHistory, readZoneHistory } from '../kit/time/zone-history.ts';
import type { ProviderHttp, AccountContext, AccountFacts, PullUser, PullWindow } from '../kit/types/connector.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';

/**
 * The id of the Google account. It only serves to match a connection of `google_fit`, so no failure stops anything: an imported token may lack
 * the scope although the import names it, and the next reading of the account asks again.
 */
async function readSubject(http: ProviderHttp): Promise<string | null> {
  try {
    const { body } = await http.get('/v1/userinfo', undefined, { region: identityRegion });
    return textOrNull(new JsonNode(body).at('sub'));
  } catch (error) {
    if (!isAppError(error)) throw error;
    return null;
  }
}

/** A paired device in the account facts. */
interface AccountDevice {
  readonly id: string;
  readonly type: string;
  /** The product, such as `Charge 6`. */
  readonly model: string | null;
}

const sourceTypes: ReadonlyMap<unknown, string> = new Map([
  ['TRACKER', 'watch'],
  ['SCALE', 'scale'],
]);

async function readTimeZone(http: ProviderHttp): Promise<string | null> {
  const { body } = await http.get('/v4/users/me/settings');
  return textOrNull(new JsonNode(body).at('timeZone'));
}

function readDevice(device: JsonNode): AccountDevice {
  const type = sourceTypes.get(device.at('deviceType').value) ?? 'unknown';
  return { id: readLastSegment(device.at('name')), type, model: textOrNull(device.at('deviceVersion')) };
}

/** The trackers and scales of the account; null where Google does not list them. */
async function readPairedDevices(http: ProviderHttp): Promise<readonly AccountDevice[] | null> {
  const read = (pageToken: string) => http.get('/v4/users/me/pairedDevices', { pageSize: '100', ...(pageToken !== '' && { pageToken }) });
  const pages = await ifOffered(() => collectPages(readPages({ first: '', read, next: nextPageToken })));
  if (pages === null) return null;
  const lists = pages.bodies.map((body) => new JsonNode(body).at('pairedDevices')).filter((list) => !list.isMissing);
  return lists.flatMap((list) => readEach('device', list, [], readDevice)).slice(0, 50);
}

/**
 * The facts of the account that pulls need: the zone with its history, the paired devices, and the ids of the same person at Fitbit and
 * Google, by which connections of `fitbit` and `google_fit` are matched with the new one. `healthUserId` never changes; notifications contain it.
 */
export async function readGoogleHealthAccount(context: AccountContext): Promise<AccountFacts> {
  const { http, grantedScopes, previous = {}, now } = context;
  const identity = new JsonNode((await http.get('/v4/users/me/identity')).body);
  const known = textOrNull(new JsonNode(previous).at('google_subject'));
  const subject = known ?? (grantedScopes.includes(identityScope) ? await readSubject(http) : null);
  const ids = { legacy_user_id: textOrNull(identity.at('legacyUserId')), google_subject: subject };
  const hasSettings = grantedScopes.includes(googleScopes.settings);
  const timeZone = hasSettings ? await readTimeZone(http) : null;
  const devices = hasSettings ? await readPairedDevices(http) : null;
  const history = readZoneHistory(previous);
  const zone =
    timeZone === null ? {} : { time_zone: timeZone, time_zones: now === undefined ? history : extendZoneHistory(history, timeZone, now) };
  const { types, hasLearned } = learnDeviceTypes(previous, devices ?? [], now);
  return {
    providerUserId: identity.at('healthUserId').optional((node) => node.id()),
    account: { ...previous, ...ids, ...zone, ...(devices && { devices, device_types: types }) },
    ...(hasLearned && now && { completed: daysToReadAgain(previous, now) }),
  };
}

/** The days whose records may be stored without the type of a device that was listed now for the first time. */
function daysToReadAgain(previous: Readonly<Record<string, unknown>>, now: Date): PullWindow {
  const today = msToDay(now.getTime());
  // A device is listed within a day of its first records, unless the facts come from before devices were looked up.
  return { startDate: addDays(today, knewTypes(previous) ? -14 : -365), endDate: today };
}

function pairedOf({ account }: PullUser): readonly AccountDevice[] {
  const list = account['devices'];
  return Array.isArray(list) ? (list as readonly AccountDevice[]) : [];
}

const seenOf = (user: PullUser, { id, type, model }: AccountDevice): SeenDevice | null =>
  deviceOf({ provider: googleHealthSlug, user }, { externalId: id, sourceType: type, manufacturer: null, model, version: null });

/** The devices in the account facts. */
export function googleHealthDevices(user: PullUser): readonly SeenDevice[] {
  return pairedOf(user).flatMap((device) => seenOf(user, device) ?? []);
}

/**
 * The device that a listed point names. Points have a product name and no id: it is the paired device of that name, if there is one. A
 * device that is not paired, such as a phone, is identified by its name. Null for what was typed in, without a name, and where two paired
 * devices have it.
 */
export function deviceOfPoint(point: JsonNode, { provider, user }: Pick<RecordMaker, 'provider' | 'user'>): SeenDevice | null {
  const source = point.at('dataSource');
  const device = source.at('device');
  const model = textOrNull(device.at('displayName'));
  if (model === null || source.at('recordingMethod').value === 'MANUAL') return null;
  const [paired, another] = pairedOf(user).filter((one) => one.model === model);
  if (paired !== undefined) return another === undefined ? seenOf(user, paired) : null;
  const raw = deviceFields(device, ['displayName', 'formFactor', 'manufacturer']);
  return namedDevice({ provider, user }, model, {
    sourceType: sourceOfPoint(point, user, 0).type,
    manufacturer: textOrNull(device.at('manufacturer')),
    raw,
  });
}
