import type { StreamChannel } from '@pulsewire/contract';
import { leaveOutValue, type Collected } from './collected.ts';
import { keyTextOf, numberOf, rowOf, spanOf, textOf } from './read-item.ts';
import { as } from './series.ts';
import { sourceOf } from './source.ts';
import type { PhoneItem, PhoneUser } from './types.ts';

interface PartRow {
  readonly convert: ReturnType<typeof as>;
  /** Of points; spans have none. */
  readonly channel?: StreamChannel;
}

/**
 * Records for which there is no series, by Health Connect's types. They are parts of the workout of the same app at their time, and of
 * nothing when there is none.
 */
export const partRows: Readonly<Record<string, PartRow>> = {
  POWER: { convert: as('W'), channel: 'power' },
  SPEED: { convert: as('m/s'), channel: 'velocity_smooth' },
  CYCLING_PEDALING_CADENCE: { convert: as('count/min'), channel: 'cadence' },
  STEPS_CADENCE: { convert: as('count/min'), channel: 'cadence' },
  ELEVATION_GAINED: { convert: as('m') },
  TOTAL_CALORIES_BURNED: { convert: as('kcal') },
};

export function keepPart(name: string, item: PhoneItem, user: PhoneUser, to: Collected): void {
  const span = spanOf(item);
  if (!span) return to.leaveOut('bad_time');
  const given = numberOf(item['value']);
  const value = given === null ? null : (rowOf(partRows, name)?.convert(given, textOf(item['unit']) ?? '', item) ?? null);
  if (value === null || value < 0 || !Number.isFinite(value)) return leaveOutValue(to, given, value, item);
  const source = sourceOf(user, item);
  const recordId = keyTextOf(item['parentId']) ?? keyTextOf(item['id']) ?? '';
  to.keepPart({ kind: name, recordId, sourceType: source.type, appId: source.appId ?? '', ...span, value });
}
