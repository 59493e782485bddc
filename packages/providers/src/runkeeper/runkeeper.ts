import { dayToMs, msToDay } from '../kit/time/days.ts';
import { parseWallClock } from '../kit/time/time.ts';
import { type RecordMaker, recordMakersOf } from '../kit/records/record-maker.ts';
import type { JsonNode } from '../kit/values/json-node.ts';

export const runkeeperSlug = 'runkeeper';
/** `source_id` on the wire. */
export const runkeeperSourceId = 32;
/** A phone app; which device it was connected to is unknown. */
export const app = 'app';

export type RunkeeperContext = RecordMaker;

export const createContext = recordMakersOf(runkeeperSlug);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const timePattern = /^[A-Z][a-z]{2}, (\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2})$/;

/** `Fri, 24 Jul 2015 16:02:13`: a wall clock without zone, read as if it were UTC. Undefined for anything else. */
export function parseRunkeeperTime(text: string): number | undefined {
  const match = timePattern.exec(text);
  const month = months.indexOf(match?.[2] ?? '') + 1;
  if (match === null || month === 0) return undefined;
  const [, day = '', , year = '', clock = ''] = match;
  const date = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return dayToMs(date) === undefined ? undefined : parseWallClock(`${date}T${clock}`);
}

/** When an item took place: the instant, the offset and the local day. */
export interface Moment {
  readonly ms: number;
  readonly offset: number | null;
  readonly offsetFrom: 'value' | 'provider' | 'user';
  readonly day: string;
}

/** A wall clock in the user's zone, for items without an offset. */
export function readMoment(node: JsonNode, context: RunkeeperContext): Moment {
  const wallMs = node.time(parseRunkeeperTime);
  const day = msToDay(wallMs);
  const zone = context.zoneOn(day);
  const { ms, offset } = zone.toInstant(wallMs);
  return { ms, offset, offsetFrom: zone.originAt(ms), day };
}

/** The start of an activity; newer ones state the offset, in whole hours. */
export function readStart(item: JsonNode, context: RunkeeperContext): Moment {
  const hours = item.at('utc_offset').optional((node) => node.number());
  if (hours === null) return readMoment(item.at('start_time'), context);
  const wallMs = item.at('start_time').time(parseRunkeeperTime);
  const offset = Math.round(hours * 3600);
  return { ms: wallMs - offset * 1000, offset, offsetFrom: 'value', day: msToDay(wallMs) };
}

/** The id at the end of `/fitnessActivities/465161536`. */
export function readId(item: JsonNode): string {
  const id = /\/(\w{1,40})$/.exec(item.at('uri').text())?.[1];
  if (id === undefined) throw item.at('uri').fail('unknown_shape');
  return id;
}

/** Media types select the form of a response; without them it may be the older form of a feed. */
export function mediaType(name: string): Readonly<Record<string, string>> {
  return { accept: `application/vnd.com.runkeeper.${name}+json` };
}
