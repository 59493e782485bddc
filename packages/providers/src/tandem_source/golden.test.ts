import type { Sample } from '@pulsewire/contract';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { mapLog } from './map-log.ts';
import { readPumps } from './pumps.ts';
import { createContext } from './tandem.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/New_York',
  providerUserId: 'f0e1d2c3-0000-4000-8000-000000000002',
  grantedScopes: [],
  account: {},
});
const window = { startDate: '2026-05-14', endDate: '2026-05-14' };
const listed = {
  assignmentId: 'b',
  maxDateOfEvents: '2026-05-14T20:11:00',
  serialNumber: '90556643',
  modelName: 't:slim X2™ Insulin Pump',
  modelNumber: '1000354',
  partNumber: '1011979',
  softwareVersion: '7.8.0.0',
};
const pump = { untilWallMs: Date.UTC(2026, 4, 14, 20, 11), device: readPumps({ pumps: [listed] }, context)[0]?.device ?? null };
const log: unknown = JSON.parse(await readFile(new URL('fixtures/log.json', import.meta.url), 'utf8'));

describeMappers(import.meta.url, { log: (body) => mapLog(body, window, pump, context) });

function samplesOf(resource: string) {
  return mapLog(log, window, pump, context).records.flatMap((record) =>
    record.kind === 'samples' && record.resource === resource ? record.samples : [],
  );
}

it('adds both parts of an extended bolus, and states the purpose of each bolus', () => {
  const boluses = samplesOf('insulin_injection').filter(({ extra }) => extra?.['delivery_mode'] === 'bolus');
  expect(boluses.map(({ value, extra }) => [value, extra?.['delivery_form'], extra?.['bolus_purpose']])).toEqual([
    [5.1, 'standard', 'mixed'],
    [5.95, 'extended', 'meal'],
  ]);
});

it('counts basal insulin until the next rate, and the last one until the newest event', () => {
  const basal = samplesOf('insulin_injection').filter(({ extra }) => extra?.['delivery_mode'] === 'basal');
  expect(basal.map(({ ts, end, value }) => [((end ?? 0) - ts) / 60_000, value])).toEqual([
    [5, 0.0708],
    [1200, 24],
  ]);
});

it('places a late sensor reading where it was taken, and leaves out what has no number', () => {
  const zone = context.zoneOn('2026-05-14');
  expect(samplesOf('glucose').map(({ ts }) => ts)).toEqual(
    ['00:02', '17:45', '16:00'].map((clock) => zone.toInstant(Date.parse(`2026-05-14T${clock}:00Z`)).ms),
  );
});

it('reads only pumps that have events', () => {
  const nameless = { assignmentId: 'c', maxDateOfEvents: '2026-05-14T20:11:00' };
  expect(readPumps({ pumps: [{ ...listed, maxDateOfEvents: null }, nameless] }, context)).toEqual([
    { assignmentId: 'c', untilWallMs: Date.UTC(2026, 4, 14, 20, 11), device: null },
  ]);
  expect(readPumps('text', context)).toEqual([]);
});

it('ends a rate after a day when the pump reports nothing more in the window and was used later', () => {
  const later = { ...pump, untilWallMs: Date.UTC(2026, 6, 30) };
  const [, last] = mapLog(log, window, later, context).records.flatMap((record) =>
    record.kind === 'samples' && record.resource === 'insulin_injection'
      ? record.samples.filter(({ extra }) => extra?.['delivery_mode'] === 'basal')
      : [],
  );
  expect(((last?.end ?? 0) - (last?.ts ?? 0)) / 3_600_000).toBe(24);
  expect(last?.value).toBe(28.8);
});

describe('a clock that was set back', () => {
  const day = { startDate: '2026-11-01', endDate: '2026-11-01' };
  const rateAt = (clock: string, index: number) => ({
    eventCode: 279,
    pumpDateTime: `2026-11-01T${clock}:00`,
    sequenceNumber: 1000 + index,
    eventProperties: { commandedRate: 1000, profileBasalRate: 1000 },
  });
  /** Every ten minutes. */
  const clocks = (from: number, to: number) =>
    Array.from({ length: (to - from) * 6 }, (_unused, index) => {
      const minutes = from * 60 + index * 10;
      return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    });
  const ratesOf = (shown: readonly string[]) => {
    const until = { ...pump, untilWallMs: Date.parse('2026-11-01T09:00:00Z') };
    const { records, quarantined } = mapLog({ events: shown.map(rateAt).toReversed() }, day, until, context);
    return { quarantined, samples: records.flatMap((record) => (record.kind === 'samples' ? record.samples : [])) };
  };
  const total = (samples: readonly Sample[]) => samples.reduce((sum, { value }) => sum + Number(value), 0);
  const isPartition = (samples: readonly Sample[]) => samples.every(({ ts }, index) => index === 0 || ts === samples[index - 1]?.end);

  it('hours after the change of the season yields each instant once, and all of the basal insulin', () => {
    const { samples, quarantined } = ratesOf([...clocks(6, 8), ...clocks(7, 9), '09:00']);
    expect(total(samples)).toBeCloseTo(4, 2);
    expect(isPartition(samples)).toBe(true);
    expect(samples[0]?.ts).toBe(Date.parse('2026-11-01T10:00:00Z'));
    expect(quarantined).toEqual([]);
  });

  it('during the change is read in both passes of the hour', () => {
    const { samples } = ratesOf([...clocks(0, 2), ...clocks(1, 9), '09:00']);
    expect(total(samples)).toBeCloseTo(10, 2);
    expect(isPartition(samples)).toBe(true);
  });

  it('the evening before the change yields each instant once', () => {
    const evening = (clock: string, index: number) => ({ ...rateAt(clock, index), pumpDateTime: `2026-10-31T${clock}:00` });
    const events = [...clocks(20, 23), ...clocks(22, 24)].map(evening);
    const until = { ...pump, untilWallMs: Date.parse('2026-11-01T00:00:00Z') };
    const { records } = mapLog({ events }, { startDate: '2026-10-30', endDate: '2026-11-01' }, until, context);
    const samples = records.flatMap((record) => (record.kind === 'samples' ? record.samples : []));
    expect(total(samples)).toBeCloseTo(5, 2);
    expect(isPartition(samples)).toBe(true);
  });

  it('for another reason counts the later pass, and quarantines the rates of the first', () => {
    const { samples, quarantined } = ratesOf([...clocks(4, 7), ...clocks(4, 9), '09:00']);
    expect(total(samples)).toBeCloseTo(5, 2);
    expect(isPartition(samples)).toBe(true);
    expect(quarantined).toHaveLength(18);
  });
});
