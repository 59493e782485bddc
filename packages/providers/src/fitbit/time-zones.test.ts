import type { Sample, Summary } from '@pulsewire/contract';
import { describe, expect, it } from 'vitest';
import { mapActivityDay } from './mappers/map-activity.ts';
import { createMapContext, type MapContext, type Mapped } from './context/map-context.ts';
import { mapHeartrateDay } from './mappers/map-heart.ts';
import { mapMovementDay, stepsSeries } from './mappers/map-minutes.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { mapWeight } from './mappers/map-body.ts';

function contextOf(timeZone: string | null, account: Record<string, unknown> = {}, fallbackTimeZone: string | null = null): MapContext {
  return createMapContext({
    userId: 'b3f0c1de-0000-4000-8000-000000000001',
    fallbackTimeZone,
    providerUserId: 'ABC123',
    grantedScopes: [],
    account: { time_zone: timeZone, ...account },
  });
}

function samplesOf(mapped: Mapped): readonly Sample[] {
  return mapped.records.flatMap((record) => (record.kind === 'samples' ? record.samples : []));
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
}

function stepsBody(minutes: readonly number[], valueOf: (minute: number) => number): unknown {
  return { 'activities-steps-intraday': { dataset: minutes.map((minute) => ({ time: clock(minute), value: valueOf(minute) })) } };
}

const wholeDay = Array.from({ length: 1440 }, (_, minute) => minute);
const iso = (ms: number | undefined): string => new Date(ms ?? Number.NaN).toISOString();

describe('minutes of a day when clocks go forward', () => {
  const body = stepsBody(wholeDay, (minute) => (minute >= 120 && minute < 180 ? 0 : 5));
  const mapped = mapMovementDay(body, stepsSeries, '2025-03-30', contextOf('Europe/Berlin'));
  const samples = samplesOf(mapped);

  it('omit the skipped hour', () => {
    expect(samples).toHaveLength(1380);
    expect(mapped.quarantined).toEqual([]);
  });

  it('are contiguous and not repeated', () => {
    for (const [index, sample] of samples.entries()) expect(sample.ts).toBe(Date.parse('2025-03-29T23:00:00Z') + index * 60_000);
    expect(samples.at(119)).toMatchObject({ timezoneOffset: 3600 });
    expect(samples.at(120)).toMatchObject({ timezoneOffset: 7200 });
  });

  it('quarantine a value in that hour instead of assigning it to another minute', () => {
    const odd = mapMovementDay(
      stepsBody([150, 210], () => 7),
      stepsSeries,
      '2025-03-30',
      contextOf('Europe/Berlin'),
    );
    expect(samplesOf(odd)).toHaveLength(1);
    expect(odd.quarantined).toEqual([{ resource: 'steps', reason: 'bad_time', pointer: '/activities-steps-intraday/dataset/0/time' }]);
  });
});

describe('minutes of a day when clocks go back', () => {
  const twice = [...wholeDay.slice(0, 120), ...wholeDay.slice(60)];

  it('keep their order when the hour is sent twice', () => {
    const samples = samplesOf(
      mapMovementDay(
        stepsBody(twice, () => 5),
        stepsSeries,
        '2025-11-02',
        contextOf('America/New_York'),
      ),
    );
    expect(samples).toHaveLength(1500);
    for (const [index, sample] of samples.entries()) expect(sample.ts).toBe(Date.parse('2025-11-02T04:00:00Z') + index * 60_000);
  });

  it('are in the first pass when the hour is sent once', () => {
    const samples = samplesOf(
      mapMovementDay(
        stepsBody(wholeDay, () => 5),
        stepsSeries,
        '2025-11-02',
        contextOf('America/New_York'),
      ),
    );
    expect([iso(samples[60]?.ts), iso(samples[119]?.ts), iso(samples[120]?.ts)]).toEqual([
      '2025-11-02T05:00:00.000Z',
      '2025-11-02T05:59:00.000Z',
      '2025-11-02T07:00:00.000Z',
    ]);
  });
});

describe('zeros', () => {
  it('are kept to the end of a past day', () => {
    const samples = samplesOf(
      mapMovementDay(
        stepsBody(wholeDay, () => 0),
        stepsSeries,
        '2025-05-01',
        contextOf('Europe/Berlin'),
      ),
    );
    expect(samples).toHaveLength(1440);
  });

  it('at the end of the current day are held back, and those before are kept', () => {
    const body = stepsBody(wholeDay.slice(0, 600), (minute) => (minute === 500 ? 3 : 0));
    const samples = samplesOf(mapMovementDay(body, stepsSeries, '2025-05-01', contextOf('Europe/Berlin')));
    expect(samples).toHaveLength(501);
    expect(samples.at(-1)?.value).toBe(3);
  });
});

describe('heart rate', () => {
  it('continues through the repeated hour in clock order', () => {
    const times = ['01:59:50', '01:59:55', '01:00:00', '01:00:05', '02:00:00'];
    const body = { 'activities-heart-intraday': { dataset: times.map((time) => ({ time, value: 60 })) } };
    const samples = samplesOf(mapHeartrateDay(body, '2025-11-02', contextOf('America/New_York')));
    expect(samples.map((sample) => iso(sample.ts))).toEqual([
      '2025-11-02T05:59:50.000Z',
      '2025-11-02T05:59:55.000Z',
      '2025-11-02T06:00:00.000Z',
      '2025-11-02T06:00:05.000Z',
      '2025-11-02T07:00:00.000Z',
    ]);
  });
});

describe('a night when clocks change', () => {
  function nightOf(day: string, startTime: string, hours: number, secondStage: string): Summary[] {
    const stages = [
      { dateTime: startTime, level: 'light', seconds: 3 * 3600 },
      { dateTime: secondStage, level: 'deep', seconds: (hours - 3) * 3600 },
    ];
    const log = { logId: 1, dateOfSleep: day, startTime, duration: hours * 3_600_000, logType: 'auto_detected', levels: { data: stages } };
    return mapSleep({ sleep: [log] }, contextOf('Europe/Berlin')).records as Summary[];
  }

  it('is as long as its duration when an hour is skipped', () => {
    const [sleep, cycle] = nightOf('2025-03-30', '2025-03-29T23:00:00.000', 7, '2025-03-30T03:00:00.000');
    expect(sleep?.data).toMatchObject({
      bedtime_start: '2025-03-29T22:00:00+00:00',
      bedtime_stop: '2025-03-30T05:00:00+00:00',
      duration: 25_200,
      total: 25_200,
      timezone_offset: 3600,
    });
    expect(cycle?.data).toMatchObject({ stage_start_offset_second: [0, 10_800], stage_end_offset_second: [10_800, 25_200] });
  });

  it('is as long as its duration when an hour is repeated', () => {
    const [sleep, cycle] = nightOf('2025-10-26', '2025-10-25T23:30:00.000', 8, '2025-10-26T02:30:00.000');
    expect(sleep?.data).toMatchObject({ bedtime_stop: '2025-10-26T05:30:00+00:00', total: 28_800 });
    expect(cycle?.data).toMatchObject({ stage_start_offset_second: [0, 10_800] });
    const second = nightOf('2025-10-26', '2025-10-26T00:30:00.000', 8, '2025-10-26T02:30:00.000');
    expect(second[1]?.data).toMatchObject({ stage_start_offset_second: [0, 10_800] });
  });
});

describe('a journey', () => {
  const time_zones = [
    { since: '2025-01-01', time_zone: 'Europe/Berlin' },
    { since: '2025-05-10', time_zone: 'America/New_York' },
  ];
  const context = contextOf('America/New_York', { time_zones });

  it('does not move the days before it', () => {
    const weighing = (date: string) => ({ logId: date, date, time: '07:00:00', weight: 70, source: 'Aria' });
    const samples = samplesOf(mapWeight({ weight: [weighing('2025-05-09'), weighing('2025-05-10')] }, context));
    expect(samples.map((sample) => [iso(sample.ts), sample.timezoneOffset])).toEqual([
      ['2025-05-09T05:00:00.000Z', 7200],
      ['2025-05-10T11:00:00.000Z', -14_400],
    ]);
  });
});

describe('a user without a known zone', () => {
  const body = { summary: { steps: 1 } };

  it('has the fallback zone, else none', () => {
    const inFallback = mapActivityDay(body, '2025-05-01', contextOf(null, {}, 'Asia/Tokyo')).records[0] as Summary;
    expect(inFallback.data).toMatchObject({ time_zone: 'Asia/Tokyo', timezone_offset: 32_400 });
    const inNone = mapActivityDay(body, '2025-05-01', contextOf(null)).records[0] as Summary;
    expect(inNone.data).toMatchObject({ time_zone: null, timezone_offset: null });
  });
});
