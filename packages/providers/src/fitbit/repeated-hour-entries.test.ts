import type { Sample } from '@pulsewire/contract';
import { describe, expect, it } from 'vitest';
import { createMapContext, type Mapped } from './context/map-context.ts';
import { mapCoreTemperature, mapFat, mapWeight } from './mappers/map-body.ts';
import { mapEcg, mapHeartrateDay, mapRhythmAlerts } from './mappers/map-heart.ts';
import { mapMovementDay, stepsSeries } from './mappers/map-minutes.ts';
import { hrvMinutes, mapNightMinutes } from './mappers/map-night-values.ts';

const day = '2025-11-02';
const context = createMapContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'ABC123',
  grantedScopes: [],
  account: { time_zone: 'America/New_York' },
});
const window = { startDate: day, endDate: day };
const utc = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

/** When the samples of a response were taken, in UTC. */
function taken({ records }: Mapped, resource: string): string[] {
  return records.flatMap((record) =>
    record.kind === 'samples' && record.resource === resource ? record.samples.map(({ ts }: Sample) => utc(ts)) : [],
  );
}

type Logged = (clocks: readonly string[], values?: readonly unknown[]) => string[];

const weightLog = (field: string, clocks: readonly string[], values: readonly unknown[]) => ({
  [field]: clocks.map((at, index) => ({ logId: index, date: day, time: `${at}:00`, source: 'API', [field]: values[index] ?? 70 + index })),
});
const logs: Readonly<Record<string, Logged>> = {
  weight: (clocks, values = []) => taken(mapWeight(weightLog('weight', clocks, values), context), 'weight'),
  fat: (clocks, values = []) => taken(mapFat(weightLog('fat', clocks, values), context), 'fat'),
  'core temperature': (clocks, values = []) => {
    const tempCore = clocks.map((at, index) => ({ dateTime: `${day}T${at}:00`, value: values[index] ?? 36.5 }));
    return taken(mapCoreTemperature({ tempCore }, context), 'body_temperature');
  },
};

describe.each(Object.entries(logs))('%s logged in the repeated hour', (_name, instants) => {
  it('belongs to the second pass after a step back of the clock', () => {
    expect(instants(['00:50', '01:40', '01:20', '02:10'])).toEqual(['04:50', '05:40', '06:20', '07:10']);
  });

  it('belongs to the second pass when a clock time is listed twice', () => {
    expect(instants(['01:40', '01:40'])).toEqual(['05:40', '06:40']);
  });

  it('is assigned to its pass in a list in descending order too', () => {
    expect(instants(['02:10', '01:20', '01:40', '00:50'])).toEqual(['07:10', '06:20', '05:40', '04:50']);
  });

  it('belongs to the first pass when only the gaps around it could indicate otherwise', () => {
    expect(instants(['01:58', '02:00'])).toEqual(['05:58', '07:00']);
  });

  it('belongs to the first pass in an unordered list', () => {
    expect(instants(['00:50', '07:00', '01:40', '01:20', '03:00'])).toEqual(['04:50', '12:00', '05:40', '05:20', '08:00']);
  });

  it('is assigned to its pass even by an entry with an unreadable value', () => {
    expect(instants(['01:40', '01:20'], ['much'])).toEqual(['06:20']);
  });
});

describe('entries with times of their own', () => {
  it('puts a weighing and its body summary at one instant', () => {
    const { records } = mapWeight(weightLog('weight', ['01:40', '01:20'], []), context);
    expect(records.flatMap((record) => (record.kind === 'summary' ? [utc(record.at)] : []))).toEqual(['05:40', '06:20']);
  });

  it('assigns an entry the same instant however many days are read with it', () => {
    const list = weightLog('weight', ['01:40', '01:20'], []).weight ?? [];
    const others = ['2025-11-01', '2025-11-03'].map((date) => ({ logId: date, date, time: '23:00:00', weight: 70 }));
    expect(taken(mapWeight({ weight: [others[0], ...list, others[1]] }, context), 'weight').slice(1, 3)).toEqual(['05:40', '06:20']);
  });

  it('puts the second of two electrocardiograms into the second pass', () => {
    const ecgReadings = ['01:40', '01:20'].map((at) => ({
      startTime: `${day}T${at}:00`,
      samplingFrequencyHz: 250,
      scalingFactor: 10_922,
      waveformSamples: [1, 2],
    }));
    const { records } = mapEcg({ ecgReadings }, window, context);
    expect(records.flatMap((record) => (record.kind === 'summary' ? [utc(record.at)] : []))).toEqual(['05:40', '06:20']);
  });

  it('puts the second of two alerts into the second pass', () => {
    const alerts = ['01:40', '01:20'].map((at) => ({ detectedTime: `${day}T${at}:00` }));
    expect(taken(mapRhythmAlerts({ alerts }, window, context), 'heart_rate_alert')).toEqual(['05:40', '06:20']);
  });
});

describe('a reading in the repeated hour without a usable value', () => {
  const clocks = ['01:15', '01:40', '01:15', '01:40'];
  const values = [5, 'many', 5, 5];
  const dataset = clocks.map((at, index) => ({ time: `${at}:00`, value: values[index] }));

  it('still counts for the order of heart rate readings', () => {
    const mapped = mapHeartrateDay({ 'activities-heart-intraday': { dataset } }, day, context);
    expect(taken(mapped, 'heartrate')).toEqual(['05:15', '06:15', '06:40']);
    expect(mapped.quarantined).toEqual([
      { resource: 'heartrate', reason: 'bad_number', pointer: '/activities-heart-intraday/dataset/1/value' },
    ]);
  });

  it('an unreadable entry still counts for the order of minutes', () => {
    const mapped = mapMovementDay({ 'activities-steps-intraday': { dataset } }, stepsSeries, day, context);
    expect(taken(mapped, 'steps')).toEqual(['05:15', '06:15', '06:40']);
    expect(mapped.quarantined).toHaveLength(1);
  });

  it('still counts for the order of a night’s readings', () => {
    const minutes = clocks.map((at, index) => ({ minute: `${day}T${at}:00.000`, value: { rmssd: values[index] } }));
    const mapped = mapNightMinutes({ hrv: [{ dateTime: day, minutes }] }, hrvMinutes, context) ?? { records: [], quarantined: [] };
    expect(taken(mapped, 'hrv')).toEqual(['05:15', '06:15', '06:40']);
    expect(mapped.quarantined).toHaveLength(1);
  });
});
