import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { defaultsOf } from '../kit/settings.ts';
import { findIhealthRefusal } from './classify.ts';
import { ihealth } from './connector.ts';
import { createContext, ihealthSettings } from './ihealth.ts';
import { mapWorkouts } from './map-workouts.ts';
import { createPulls } from './pulls.ts';

interface Case {
  readonly calls: readonly { readonly answer: Readonly<Record<string, unknown>> }[];
}

const caseOf = async (name: string): Promise<Case> =>
  JSON.parse(await readFile(new URL(`fixtures/cases/${name}.json`, import.meta.url), 'utf8')) as Case;

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'America/Los_Angeles',
  providerUserId: 'ab12',
  grantedScopes: [],
  account: {},
};

it('tells wrong keys of the operator from a permission that the user did not give', async () => {
  const { calls } = await caseOf('configuration-fault');
  const verdicts = calls.map(({ answer }) => findIhealthRefusal({ status: 200, headers: {}, body: answer }));
  expect(verdicts).toEqual([
    { code: 'provider_configuration', details: { reason: 'application_serial' } },
    { code: 'provider_configuration', details: { reason: 'invalid_client' } },
    { code: 'provider_scope_missing' },
  ]);
});

describe('the times of a workout', () => {
  const read = (item: Readonly<Record<string, unknown>>) => {
    const window = { startDate: '2026-02-01', endDate: '2026-02-04' };
    const { records } = mapWorkouts({ SPORTDataList: [item] }, window, createContext(user));
    return records[0]?.kind === 'summary' ? records[0] : undefined;
  };

  it('are UTC, and its zone tells the local day alone', async () => {
    const { calls } = await caseOf('sport-times');
    const [run] = (calls[0]?.answer['SPORTDataList'] ?? []) as [Readonly<Record<string, unknown>>];
    const expected = { calendarDate: '2026-02-02', data: { time_start: '2026-02-03T03:10:00+00:00', timezone_offset: -28_800 } };
    expect(read(run)).toMatchObject(expected);
    // Without a zone the day is that of the user's.
    expect(read({ ...run, TimeZone: '' })).toMatchObject(expected);
  });

  const at = (time: string) => Date.parse(time) / 1000;
  const item = { DataID: 'a', SportName: 'Running', SportEndTime: at('2026-02-02T12:30:00Z'), SportStartTime: at('2026-02-02T12:00:00Z') };

  it.each([
    // A workout cannot begin after it was stored: its digits are those of the local clock, east of Greenwich.
    ['local', 8, '2026-02-02T04:31:00Z', '2026-02-02T04:00:00+00:00'],
    ['UTC', 8, '2026-02-02T12:31:00Z', '2026-02-02T12:00:00+00:00'],
    ['UTC', -8, '2026-02-02T12:31:00Z', '2026-02-02T12:00:00+00:00'],
    // Neither reading is possible: a clock is wrong.
    ['UTC', -8, '2026-02-01T00:00:00Z', '2026-02-02T12:00:00+00:00'],
  ])('are %s at UTC%i when it was stored at %s', (_clock, TimeZone, stored, start) => {
    expect(read({ ...item, TimeZone, LastChangeTime: at(stored) })).toMatchObject({ data: { time_start: start } });
  });
});

describe('a list without a secret', () => {
  const keys = { ...defaultsOf(ihealthSettings), sc: 'serial', svBp: 'secret' };

  it('is not read, and its resources are unavailable', () => {
    const configured = ihealth.configure?.(keys);
    expect(configured?.pulls.map(({ name }) => name)).toEqual(['bp']);
    expect(Object.keys(configured?.resources ?? {})).toEqual(['blood_pressure', 'heartrate', 'note']);
    expect(configured?.unavailableResources).toMatchObject({ workouts: 'The operator has no key for its list.' });
  });

  it('is a fault of the operator where no key is set, and nothing is asked', async () => {
    const [bp] = createPulls(defaultsOf(ihealthSettings));
    const http = createFakeHttp(() => ({}));
    const window = { startDate: '2026-02-01', endDate: '2026-02-04' };
    const reading = async () => {
      for await (const page of bp?.pull({ http, user, window, signal: AbortSignal.timeout(5000) }) ?? []) expect(page).toBeUndefined();
    };
    await expect(reading()).rejects.toMatchObject({ code: 'provider_configuration', details: { reason: 'secret_of_list_missing' } });
    expect(http.calls).toEqual([]);
  });
});
