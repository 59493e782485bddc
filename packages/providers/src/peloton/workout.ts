import { UnreadableError, type JsonNode } from '../kit/values/json-node.ts';
import type { OffsetOrigin, SeenDevice } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { deviceFields, namedDevice, textOrNull } from '../kit/records/recorded-by.ts';
import { msToDay } from '../kit/time/days.ts';
import { openZone } from '../kit/time/zone.ts';
import { sportByWords } from '../kit/values/sport-by-words.ts';
import { sources } from './peloton.ts';

/** The listed fields of a finished workout. */
export interface ListedWorkout {
  readonly id: string;
  readonly node: JsonNode;
  readonly startMs: number;
  /** null when the list does not contain it. */
  readonly endMs: number | null;
  readonly day: string;
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin;
  readonly sport: string;
  readonly source: string;
  /** The kind of machine or phone, which is all that a workout states of it. */
  readonly device: SeenDevice | null;
}

const indoorSports: Readonly<Record<string, string>> = { cycling: 'indoor_cycling', running: 'treadmill_running', caesar: 'indoor_rowing' };
const sports: Readonly<Record<string, string>> = {
  bike_bootcamp: 'circuit_training',
  circuit: 'circuit_training',
  caesar_bootcamp: 'circuit_training',
  strength: 'strength_training',
  cardio: 'aerobics',
};
const offsetMaxSeconds = 14 * 3600;

function sportOf(item: JsonNode): string {
  const discipline = item.at('fitness_discipline').optional((node) => node.text()) ?? '';
  const isOutdoor = item.at('is_outdoor').value === true;
  const known = (isOutdoor ? undefined : indoorSports[discipline]) ?? sports[discipline];
  if (known !== undefined) return known;
  const byDiscipline = sportByWords(discipline);
  // "Outdoor" alone may be a run or a walk; the name decides.
  return byDiscipline === 'other' ? sportByWords(item.at('name').optional((node) => node.words()) ?? '') : byDiscipline;
}

/** The named zone, else the difference between the device's local time and the instant, else the user's own zone. */
function clockOf(item: JsonNode, startMs: number, context: RecordMaker): Pick<ListedWorkout, 'day' | 'offset' | 'offsetFrom'> {
  const name = item.at('timezone').value;
  const named = typeof name === 'string' ? openZone(name) : undefined;
  if (named) return { day: named.dayOf(startMs), offset: named.offsetAt(startMs), offsetFrom: 'value' };
  const local = item.at('device_time_created_at').optional((node) => node.number());
  const created = item.at('created_at').optional((node) => node.number());
  const difference = local === null || created === null ? null : Math.round((local - created) / 900) * 900;
  if (difference !== null && Math.abs(difference) <= offsetMaxSeconds)
    return { day: msToDay(startMs + difference * 1000), offset: difference, offsetFrom: 'value' };
  const zone = context.zoneOn(msToDay(startMs));
  return { day: zone.dayOf(startMs), offset: zone.offsetAt(startMs), offsetFrom: zone.originAt(startMs) };
}

/** Undefined for a workout in progress: a later poll reads it. */
export function readListed(item: JsonNode, context: RecordMaker): ListedWorkout | undefined {
  const id = item.at('id').text();
  if (!/^[\w-]{1,64}$/.test(id)) throw item.at('id').fail('unknown_shape');
  if (item.at('status').text() !== 'COMPLETE') return undefined;
  const startMs = item.at('start_time').amount() * 1000;
  const endMs = (item.at('end_time').optional((node) => node.amount()) ?? 0) * 1000;
  const type = item.at('device_type').optional((node) => node.text()) || null;
  const source = type !== null && /^home_|^caesar/.test(type) ? sources.machine : sources.app;
  return {
    id,
    node: item,
    startMs,
    endMs: endMs > startMs ? endMs : null,
    ...clockOf(item, startMs, context),
    sport: sportOf(item),
    source,
    device: namedDevice(context, type, {
      sourceType: source,
      manufacturer: source === sources.machine ? 'Peloton' : null,
      model: textOrNull(item.at('device_type_display_name')),
      raw: deviceFields(item, ['device_type', 'device_type_display_name', 'platform']),
    }),
  };
}

/** The day of an item, which shows how far back the list reaches; undefined when it has none. */
export function dayOfItem(item: JsonNode, context: RecordMaker): string | undefined {
  try {
    return clockOf(item, item.at('start_time').amount() * 1000, context).day;
  } catch (error) {
    if (error instanceof UnreadableError || error instanceof RangeError) return undefined;
    throw error;
  }
}
