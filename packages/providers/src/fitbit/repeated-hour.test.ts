import type { Sample, Summary } from '@pulsewire/contract';
import { describe, expect, it } from 'vitest';
import { createMapContext, type MapContext, type Mapped } from './context/map-context.ts';
import { mapHeartrateDay } from './mappers/map-heart.ts';
import { mapSleep } from './mappers/map-sleep.ts';

function contextOf(timeZone: string): MapContext {
  const userId = 'b3f0c1de-0000-4000-8000-000000000001';
  return createMapContext({
    userId,
    fallbackTimeZone: null,
    providerUserId: 'ABC123',
    grantedScopes: [],
    account: { time_zone: timeZone },
  });
}

function samplesOf(mapped: Mapped): readonly Sample[] {
  return mapped.records.flatMap((record) => (record.kind === 'samples' ? record.samples : []));
}

const iso = (ms: number): string => new Date(ms).toISOString();

describe('the repeated hour of a day when clocks go back', () => {
  const context = contextOf('America/New_York');
  const heart = (...clocks: readonly string[]) => ({
    'activities-heart-intraday': { dataset: clocks.map((time, index) => ({ time, value: 60 + index })) },
  });
  const instants = (...clocks: readonly string[]) =>
    samplesOf(mapHeartrateDay(heart(...clocks), '2025-11-02', context)).map(({ ts }) => iso(ts).slice(11, 19));

  it('is recognised by a step back of the clock, however small', () => {
    expect(instants('00:59:00', '01:20:00', '01:50:00', '01:45:00', '01:55:00', '02:00:00')).toEqual([
      '04:59:00',
      '05:20:00',
      '05:50:00',
      '06:45:00',
      '06:55:00',
      '07:00:00',
    ]);
  });

  it('keeps both values of a clock time that occurs twice', () => {
    expect(instants('01:10:00', '01:10:00', '01:11:00', '01:11:00')).toEqual(['05:10:00', '06:10:00', '05:11:00', '06:11:00']);
  });

  it('is the second pass when the readings continue from it and none precede it', () => {
    expect(instants('00:10:00', '01:58:00', '01:59:00', '02:00:00')).toEqual(['04:10:00', '06:58:00', '06:59:00', '07:00:00']);
  });

  it('is the first pass by default', () => {
    expect(instants('00:59:00', '01:00:00', '01:59:00', '02:00:00')).toEqual(['04:59:00', '05:00:00', '05:59:00', '07:00:00']);
    expect(instants('01:30:00')).toEqual(['05:30:00']);
  });
});

describe('a night when clocks go back', () => {
  const context = contextOf('America/New_York');
  const stage = (dateTime: string | undefined, level: string, minutes: number) => ({ dateTime, level, seconds: minutes * 60 });
  const at = (time: string) => `2025-11-02T${time}:00.000`;
  const night = (log: Record<string, unknown>) =>
    mapSleep({ sleep: [{ logId: 1, dateOfSleep: '2025-11-02', logType: 'auto_detected', ...log }] }, context);
  const spans = (mapped: Mapped) => {
    const cycle = mapped.records.find(({ resource }) => resource === 'sleep_cycle') as Summary;
    const { stage_start_offset_second: starts, stage_type: types } = cycle.data as Record<string, number[]>;
    return starts?.map((start, index) => [start / 60, types?.[index]]);
  };
  // Light in the first pass, deep in the second.
  const twoPasses = {
    startTime: at('01:00'),
    endTime: at('02:00'),
    duration: 120 * 60_000,
    levels: { data: [stage(at('01:00'), 'light', 60), stage(at('01:00'), 'deep', 60)] },
  };
  const withWakes = (wakes: readonly object[], summary: object = {}) => {
    const { levels } = twoPasses;
    return night({ ...twoPasses, levels: { ...levels, shortData: wakes, summary } });
  };

  it('puts a short wake that follows a later clock into the second pass', () => {
    const mapped = withWakes([stage(at('01:20'), 'wake', 2), stage(at('01:15'), 'wake', 2)]);
    expect(spans(mapped)).toEqual([
      [0, 2],
      [20, 4],
      [22, 2],
      [60, 1],
      [75, 4],
      [77, 1],
    ]);
  });

  it('puts a short wake where it matches the totals of the log', () => {
    const totals = (light: number, deep: number) => ({ light: { minutes: light }, deep: { minutes: deep }, wake: { minutes: 2 } });
    const wake = [stage(at('01:20'), 'wake', 2)];
    expect(spans(withWakes(wake, totals(60, 58)))).toEqual([
      [0, 2],
      [60, 1],
      [80, 4],
      [82, 1],
    ]);
    expect(spans(withWakes(wake, totals(58, 60)))).toEqual([
      [0, 2],
      [20, 4],
      [22, 2],
      [60, 1],
    ]);
    expect(spans(withWakes(wake))).toEqual([
      [0, 2],
      [20, 4],
      [22, 2],
      [60, 1],
    ]);
  });

  it('begins in the pass from which its duration leads to its end', () => {
    const late = {
      startTime: at('01:30'),
      endTime: at('03:00'),
      duration: 90 * 60_000,
      levels: { data: [stage(at('01:30'), 'light', 90)] },
    };
    const early = { ...late, duration: 150 * 60_000, levels: { data: [stage(at('01:30'), 'light', 150)] } };
    const startOf = (log: Record<string, unknown>) => (night(log).records[0] as Summary).data['bedtime_start'];
    expect(startOf(late)).toBe('2025-11-02T06:30:00+00:00');
    expect(startOf(early)).toBe('2025-11-02T05:30:00+00:00');
  });
});

describe('a night during which clocks go forward', () => {
  /** Each stage with its clock; `end` is the clock at which the night of five and a half hours ends. */
  const cycleOf = (end: string, clocks: readonly string[]) => {
    const [levels, seconds] = [
      ['light', 'deep', 'rem', 'light'],
      [3600, 3600, 3600, 9000],
    ];
    const log = {
      dateOfSleep: '2026-03-29',
      logId: 1,
      startTime: '2026-03-29T00:30:00.000',
      endTime: `2026-03-29T${end}:00.000`,
      duration: 19_800_000,
      logType: 'auto_detected',
      minutesAsleep: 330,
      minutesAwake: 0,
      levels: { data: clocks.map((clock, i) => ({ dateTime: `2026-03-29T${clock}:00.000`, level: levels[i], seconds: seconds[i] })) },
    };
    return mapSleep({ sleep: [log] }, contextOf('Europe/Berlin')).records[1] as Summary;
  };
  const contiguous = {
    session_start: '2026-03-28T23:30:00+00:00',
    session_end: '2026-03-29T05:00:00+00:00',
    stage_start_offset_second: [0, 3600, 7200, 10_800],
    stage_end_offset_second: [3600, 7200, 10_800, 19_800],
  };

  it('has contiguous stages when all its times are in the offset of its start', () => {
    expect(cycleOf('06:00', ['00:30', '01:30', '02:30', '03:30']).data).toMatchObject(contiguous);
  });

  it('has contiguous stages when its times are those that clocks showed', () => {
    expect(cycleOf('07:00', ['00:30', '01:30', '03:30', '04:30']).data).toMatchObject(contiguous);
  });
});

describe('a night with an unreadable part', () => {
  const levels = (...data: readonly object[]) => ({
    sleep: [
      {
        logId: 1,
        dateOfSleep: '2025-05-01',
        startTime: '2025-05-01T00:00:00.000',
        endTime: '2025-05-01T01:00:00.000',
        duration: 3_600_000,
        levels: { data },
      },
    ],
  });
  const light = { dateTime: '2025-05-01T00:00:00.000', level: 'light', seconds: 1200 };
  const rem = { dateTime: '2025-05-01T00:40:00.000', level: 'rem', seconds: 1200 };

  it('starts a stage without a time at the end of the previous stage', () => {
    const mapped = mapSleep(levels(light, { level: 'deep', seconds: 1200 }, rem), contextOf('Europe/Berlin'));
    expect(mapped.quarantined).toEqual([]);
    expect(mapped.records[0]).toMatchObject({ data: { light: 1200, deep: 1200, rem: 1200 } });
  });

  it('quarantines only that part', () => {
    const mapped = mapSleep(levels(light, { dateTime: '2025-05-01T00:20:00.000', level: 'deep' }, rem), contextOf('Europe/Berlin'));
    expect(mapped.quarantined).toEqual([{ resource: 'sleep', reason: 'missing_field', pointer: '/sleep/0/levels/data/1/seconds' }]);
    expect(mapped.records[0]).toMatchObject({ data: { light: 1200, deep: 0, rem: 1200 } });
  });
});
