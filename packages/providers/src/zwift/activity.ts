import { utcDay } from '@pulsewire/kernel';
import { UnreadableError, type JsonNode } from '../kit/values/json-node.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { parseInstant } from '../kit/time/time.ts';

const sports: Readonly<Record<string, string>> = { CYCLING: 'indoor_cycling', RUNNING: 'treadmill_running', ROWING: 'indoor_rowing' };
const idPattern = /^\d{1,20}$/;

/** The fields of a listed activity that are required to map it. */
export interface ListedActivity {
  readonly id: string;
  readonly node: JsonNode;
  readonly startMs: number;
  readonly endMs: number;
  readonly day: string;
  readonly offset: number | null;
  readonly sport: string;
}

/** Ids have 64 bits: as a number they are rounded, so only the text is read. */
function readId(item: JsonNode): string {
  const id = item.at('id_str').text();
  if (!idPattern.test(id)) throw item.at('id_str').fail('unknown_shape');
  return id;
}

/**
 * Times are UTC; the local day comes from the user's fallback zone. Undefined for a ride in progress, which has no end: a later
 * poll reads it.
 */
export function readListed(item: JsonNode, context: RecordMaker): ListedActivity | undefined {
  const id = readId(item);
  const start = item.at('startDate').time(parseInstant);
  const end = item.at('endDate').optional((node) => node.time(parseInstant));
  if (end === null) return undefined;
  if (end.ms < start.ms) throw item.at('endDate').fail('bad_time');
  const zone = context.zoneOn(utcDay(start.ms));
  const sport = item.at('sport').optional((node) => node.text()) ?? '';
  return {
    id,
    node: item,
    startMs: start.ms,
    endMs: end.ms,
    day: zone.dayOf(start.ms),
    offset: zone.offsetAt(start.ms),
    sport: Object.hasOwn(sports, sport) ? (sports[sport] ?? 'other') : 'other',
  };
}

/** The day of an item of the list, which shows how far back it reaches; undefined when it has none. */
export function dayOfItem(item: JsonNode, context: RecordMaker): string | undefined {
  try {
    return readListed(item, context)?.day;
  } catch (error) {
    if (error instanceof UnreadableError) return undefined;
    throw error;
  }
}
