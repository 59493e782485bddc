import type { CanonicalRecord, Quarantined } from '@pulsewire/contract';
import { expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { unsoundRecords } from '../kit/testing/sound-records.ts';
import type { PullWindow } from '../kit/types/connector.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { mapGirth, mapRow } from './map-body.ts';
import { mapProfile } from './map-profile.ts';
import { createContext } from './renpho.ts';
import { ownRows } from './rows.ts';

const userId = '1800000000123456789';
const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: userId,
  grantedScopes: [],
  account: { user_id: userId, height: 70, height_unit: 2, birthday: '1988-04-12 00:00:00', gender: 0 },
};
const window = { startDate: '2024-11-17', endDate: '2024-11-18' };
const context = createContext(user);

type RowMapper = (row: JsonNode, window: PullWindow, context: RecordMaker) => readonly CanonicalRecord[];

const mapped = (resource: string, map: RowMapper) => (body: unknown) => {
  const quarantined: Quarantined[] = [];
  return { records: readEach(resource, new JsonNode(body), quarantined, (row) => map(row, window, context)).flat(), quarantined };
};

describeMappers(import.meta.url, { rows: mapped('body', mapRow), girths: mapped('waist_circumference', mapGirth) });

it('maps the profile from the login response, including inches', () => {
  const record = mapProfile(context);
  expect(unsoundRecords([record])).toEqual([]);
  expect(record).toMatchObject({ data: { height: 178, birth_date: '1988-04-12', sex: 'female' } });
  expect(mapProfile(createContext({ ...user, account: {} }))).toMatchObject({ data: { height: null, birth_date: null, sex: null } });
});

it('recognises other people’s rows on a shared scale by either number', () => {
  const owned = (row: object) => {
    const list = new JsonNode([row]);
    return ownRows('body', list, list.items(), { numbers: [userId], window }, []).length === 1;
  };
  expect([
    owned({ bUserId: userId }),
    owned({ bUserId: '7', subUserId: userId }),
    owned({ bUserId: '7', subUserId: 8 }),
    owned({}),
  ]).toEqual([true, true, false, true]);
});

it('skips implausible shares, because clients contradict each other on the unit', () => {
  const shareOf = (more: object) => {
    const row = { id: '1', timeStamp: 1_731_848_503, weight: 70, ...more };
    const [summary] = mapped('body', mapRow)([row]).records;
    return summary?.kind === 'summary' ? [summary.data['muscle_mass_percentage'], summary.data['bone_mass_percentage']] : null;
  };
  expect([
    shareOf({ sinewRatio: 77 }),
    shareOf({ sinew: 54.1, bone: 3.5 }),
    shareOf({ sinew: 71, bone: 12 }),
    shareOf({ sinew: 5 }),
  ]).toEqual([
    [77, null],
    [77.3, 5],
    [null, null],
    [null, null],
  ]);
});
