import { JsonNode } from '../kit/values/json-node.ts';
import type { SeenDevice } from '@pulsewire/contract';
import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import { deviceFields, deviceOf, textOrNull } from '../kit/records/recorded-by.ts';
import type { ProviderResponse, ProviderHttp, PullUser } from '../kit/types/connector.ts';
import type { Zone } from '../kit/time/zone.ts';
import { knownPoints, mergePoints, openClock, pointsOf, readNightClocks } from './time/clock.ts';

export const polarSlug = 'polar';
/** `source_id` on the wire. */
export const polarSourceId = 8;
export const watch = 'watch';

/** What mappers get beside the response. */
export interface PolarContext extends RecordMaker {
  /** The user's UTC offsets over time: most of Polar's times are bare wall clocks. */
  readonly clock: Zone;
}

export function createContext(user: PullUser, nights: unknown): PolarContext {
  const maker = createRecordMaker(polarSlug, user);
  const points = mergePoints(knownPoints(user.account), pointsOf(readNightClocks(nights)));
  return { ...maker, clock: openClock(points, user.fallbackTimeZone) };
}

/** The nights of the last four weeks: only they contain offsets, so data without an offset is read together with them. */
export function readNights(http: ProviderHttp): Promise<ProviderResponse> {
  return http.get('/users/sleep');
}

export interface ClockedContext {
  readonly context: PolarContext;
  /** A page has the version of its oldest response. */
  readonly version: bigint;
}

export async function readClocked(http: ProviderHttp, user: PullUser): Promise<ClockedContext> {
  const { body, version } = await readNights(http);
  return { context: createContext(user, body), version };
}

/** A list in a response, under a key or at the top; empty for 204, which Polar sends when there is no data. */
export function listIn(body: unknown, key?: string): JsonNode {
  if (body === undefined) return new JsonNode([]);
  const root = new JsonNode(body);
  return key === undefined ? root : root.at(key);
}

/** A value that cannot be zero in a living person; null when it is. */
export function positive(node: JsonNode): number | null {
  return node.optional((given) => given.amount()) || null;
}

// The year 2100: a larger value is not in seconds.
const latestSeconds = 4_102_444_800;

/** When a test was made: seconds since the epoch, and a separate offset in minutes east of UTC. */
export function readTestTime(item: JsonNode): { readonly ms: number; readonly offset: number | null } {
  const stamp = item.at('test_time');
  const seconds = stamp.amount();
  if (seconds > latestSeconds) throw stamp.fail('bad_time');
  return { ms: Math.round(seconds) * 1000, offset: item.at('time_zone_offset').optional((node) => node.number() * 60) };
}

/** The device that an exercise, a night or a test names; only exercises contain its model. */
export function polarDevice(item: JsonNode, context: Omit<PolarContext, 'clock'>, model: string | null): SeenDevice | null {
  const externalId = textOrNull(item.at('device_id')) ?? textOrNull(item.at('source_device_id'));
  const raw = deviceFields(item, ['device_id', 'source_device_id', 'device']);
  return deviceOf(context, { externalId, sourceType: watch, manufacturer: 'Polar', model, version: null, raw });
}
