import type { Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { msToDay } from '../../kit/time/days.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import type { DayOffsets } from '../day-offsets.ts';
import { ringSamples, type OuraContext } from '../oura.ts';

/**
 * `heartrate`: bpm every five minutes, awake and asleep. Its times are UTC without the user's offset: that comes from the day
 * rows, and is null where they do not contain it.
 */
export function mapHeartrate(body: unknown, window: PullWindow, offsets: DayOffsets, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const samples = readEach('heartrate', new JsonNode(body).at('data'), quarantined, (item): Sample | undefined => {
    const { ms } = item.at('timestamp').time(parseInstant);
    const value = item.at('bpm').amount();
    const known = offsets.offsetAt(ms);
    const day = known === null ? context.zoneOn(window.startDate).dayOf(ms) : msToDay(ms + known * 1000);
    return isWithin(day, window) ? { ts: ms, value, timezoneOffset: known } : undefined;
  });
  return { records: ringSamples(context, 'heartrate', samples), quarantined };
}
