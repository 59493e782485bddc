import type { Sample } from '../records/records.ts';
import { zoneOffsetSeconds } from './zone-offset.ts';

function integers(value: unknown): readonly number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number') ? value : [];
}

/** The stages of a sleep cycle as samples of the hypnogram. Its parallel arrays are truncated to the shortest. */
export function stageSamples(cycle: Readonly<Record<string, unknown>>): readonly Sample[] {
  const sessionStart = Date.parse(String(cycle['session_start']));
  const starts = integers(cycle['stage_start_offset_second']);
  const ends = integers(cycle['stage_end_offset_second']);
  const timeZone = typeof cycle['time_zone'] === 'string' ? cycle['time_zone'] : null;
  if (Number.isNaN(sessionStart)) return [];
  return integers(cycle['stage_type']).flatMap((stage, index) => {
    const start = starts[index];
    const end = ends[index];
    if (start === undefined || end === undefined) return [];
    const ts = sessionStart + start * 1000;
    return [{ ts, end: sessionStart + end * 1000, value: stage, timezoneOffset: zoneOffsetSeconds(timeZone, ts) }];
  });
}
