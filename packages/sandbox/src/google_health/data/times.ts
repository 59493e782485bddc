import type { Zone } from '../../model/zone.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An instant in UTC; trackers send whole seconds. */
export const instantText = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
export const offsetText = (zone: Zone, ms: number): string => `${zone.offsetMinutes(ms) * 60}s`;
/** `YYYY-MM-DDTHH:mm:ss` as the person's clock showed it. */
export const civilText = (zone: Zone, ms: number): string => zone.localText(ms).slice(0, 19);

export function dateFields(date: string): Fields {
  const [year, month, day] = date.split('-').map(Number);
  return { year, month, day };
}

/** Members that are zero are left out: midnight has an empty time. */
export function civilFields(zone: Zone, ms: number): Fields {
  const text = civilText(zone, ms);
  const [hours = 0, minutes = 0, seconds = 0] = text.slice(11).split(':').map(Number);
  const time = { ...(hours > 0 && { hours }), ...(minutes > 0 && { minutes }), ...(seconds > 0 && { seconds }) };
  return { date: dateFields(text.slice(0, 10)), time };
}

/** Points that came through Health Connect have start and end only; old electrocardiograms have offsets of zero, whatever the zone. */
export function intervalFields(zone: Zone, startMs: number, endMs: number, form: 'full' | 'offsets' | 'bare' | 'zero'): Fields {
  if (form === 'zero')
    return { startTime: instantText(startMs), startUtcOffset: '0s', endTime: instantText(endMs), endUtcOffset: '0s' };
  return {
    startTime: instantText(startMs),
    ...(form !== 'bare' && { startUtcOffset: offsetText(zone, startMs) }),
    endTime: instantText(endMs),
    ...(form !== 'bare' && { endUtcOffset: offsetText(zone, endMs) }),
    ...(form === 'full' && { civilStartTime: civilFields(zone, startMs), civilEndTime: civilFields(zone, endMs) }),
  };
}

export function sampleFields(zone: Zone, ms: number, isBare: boolean): Fields {
  if (isBare) return { physicalTime: new Date(ms).toISOString() };
  return { physicalTime: instantText(ms), utcOffset: offsetText(zone, ms), civilTime: civilFields(zone, ms) };
}
