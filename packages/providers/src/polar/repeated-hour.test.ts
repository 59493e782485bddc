import type { Sample } from '@pulsewire/contract';
import { describe, expect, it } from 'vitest';
import type { MappedRecords } from '../kit/types/connector.ts';
import { mapActivity } from './mappers/map-activity.ts';
import { mapHeartrate } from './mappers/map-heartrate.ts';
import { mapSleep } from './mappers/map-sleep.ts';
import { createContext, type PolarContext } from './polar.ts';

const day = '2025-10-26';
const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Berlin',
  providerUserId: '1',
  grantedScopes: [],
  account: {},
};
const night = { date: day, sleep_start_time: `2025-10-25T23:00:00+02:00`, sleep_end_time: `${day}T07:00:00+01:00` };
const contexts: Readonly<Record<string, PolarContext>> = {
  'the zone of the user': createContext(user, undefined),
  'the offsets of a night': createContext({ ...user, fallbackTimeZone: null }, { nights: [night] }),
};

const samplesOf = ({ records }: MappedRecords): readonly Sample[] =>
  records.flatMap((record) => (record.kind === 'samples' && ['heartrate', 'steps'].includes(record.resource) ? record.samples : []));
const instants = (mapped: MappedRecords) => samplesOf(mapped).map(({ ts }) => new Date(ts).toISOString().slice(11, 16));

const heart = (clocks: readonly string[], values: readonly unknown[], context: PolarContext) =>
  mapHeartrate(
    { date: day, heart_rate_samples: clocks.map((at, i) => ({ sample_time: `${at}:00`, heart_rate: values[i] ?? 60 })) },
    context,
  );
const steps = (clocks: readonly string[], values: readonly unknown[], context: PolarContext, startDate = day) => {
  const samples = clocks.map((at, i) => ({ timestamp: `${day}T${at}:00`, steps: values[i] ?? 5 }));
  const body = [{ start_time: `${day}T00:00:00`, samples: { steps: { interval_ms: 60_000, samples } } }];
  return mapActivity(body, { startDate, endDate: day }, context);
};

describe.each(Object.entries(contexts))('the repeated hour when clocks go back, by %s', (_name, context) => {
  describe.each([
    ['heart rate', heart],
    ['steps', steps],
  ])('%s', (_resource, map) => {
    it('assigns times after a step back to the second pass', () => {
      expect(instants(map(['02:15', '02:40', '02:15', '02:40'], [], context))).toEqual(['00:15', '00:40', '01:15', '01:40']);
    });

    it('uses readings without a usable value to find the step back', () => {
      const mapped = map(['02:15', '02:40', '02:15', '02:40'], [undefined, 'many'], context);
      expect(instants(mapped)).toEqual(['00:15', '01:15', '01:40']);
      expect(mapped.quarantined).toHaveLength(1);
    });

    it('returns both values of a time that is listed twice in a row', () => {
      expect(instants(map(['02:10', '02:10', '02:11', '02:11'], [], context))).toEqual(['00:10', '01:10', '00:11', '01:11']);
    });
  });

  it('assigns a day the same instants in every window', () => {
    const clocks = ['01:59', '02:15', '02:40', '02:15', '02:40', '03:00'];
    const alone = steps(clocks, [], context);
    expect(instants(alone)).toEqual(['23:59', '00:15', '00:40', '01:15', '01:40', '02:00']);
    expect(samplesOf(steps(clocks, [], context, '2025-10-20'))).toEqual(samplesOf(alone));
  });
});

describe('a value of a night that cannot be read', () => {
  const nights = [
    {
      ...night,
      hypnogram: { '23:00': 2, '02:10': 4, '02:40': 'deep', '02:15': 1, '06:00': 0 },
      heart_rate_samples: { '23:10': 60, '02:30': 'many', '02:31': 48 },
      light_sleep: 3600,
      deep_sleep: 3600,
      rem_sleep: 3600,
    },
  ];
  const recharges = [{ date: day, hrv_samples: { '02:20': 40, '02:50': 'many', '02:25': 50 }, heart_rate_variability_avg: 45 }];
  const mapped = mapSleep({ sleep: { nights }, recharge: { recharges } }, { startDate: day, endDate: day }, createContext(user, undefined));
  const summaryOf = (name: string) =>
    mapped.records.flatMap((record) => (record.kind === 'summary' && record.resource === name ? [record.data] : []))[0];

  it('is quarantined on its own, and the night is kept', () => {
    expect(summaryOf('sleep')).toMatchObject({ hr_lowest: 48, average_hrv: 45 });
    expect(mapped.quarantined.map(({ resource, pointer }) => [resource, pointer])).toEqual([
      ['hrv', '/recharges/0/hrv_samples/02:50'],
      ['sleep', '/nights/0/heart_rate_samples/02:30'],
    ]);
  });

  it('still puts the times after it into the second pass', () => {
    const hrv = mapped.records.flatMap((record) => (record.kind === 'samples' && record.resource === 'hrv' ? record.samples : []));
    expect(hrv.map(({ ts }) => new Date(ts).toISOString().slice(11, 16))).toEqual(['00:20', '01:25']);
  });

  it('counts as an unknown stage until the next one', () => {
    const cycle = summaryOf('sleep_cycle');
    expect(cycle?.['stage_type']).toEqual([2, 1, -1, 3, 4]);
    expect(((cycle?.['stage_start_offset_second'] ?? []) as number[]).map((second) => second / 60)).toEqual([0, 190, 220, 255, 480]);
  });
});

it('keeps a night and its recharge without the series whose times lie outside of it', () => {
  const outside = { '23:10': 1, '22:00': 1 };
  const nights = [{ ...night, hypnogram: outside, heart_rate_samples: outside, light_sleep: 3600 }];
  const recharges = [{ date: day, hrv_samples: { '23:10': 40 }, breathing_samples: { '02:00': 'x', soon: 14 }, breathing_rate_avg: 14 }];
  const { records, quarantined } = mapSleep(
    { sleep: { nights }, recharge: { recharges } },
    { startDate: day, endDate: day },
    createContext(user, undefined),
  );
  expect(records.map(({ resource }) => resource)).toEqual(['sleep', 'hrv']);
  expect(quarantined.map(({ resource, pointer }) => [resource, pointer])).toEqual([
    ['respiratory_rate', '/recharges/0/breathing_samples/soon'],
    ['sleep', '/nights/0/heart_rate_samples/22:00'],
    ['sleep_cycle', '/nights/0/hypnogram/22:00'],
  ]);
});
