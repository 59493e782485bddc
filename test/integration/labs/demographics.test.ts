import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseLabsOfUser } from '@pulsewire/labs';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  team = await harness.newCaller();
});
afterAll(() => harness.close());

const address = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' };
const person = { first_name: 'Ann', last_name: "O'Hara", dob: '1990-02-01', email: 'ann@example.com', phone_number: '+14155550100' };
const info = { ...person, gender: 'female', address, race: 'asian' };
const insurance = { payor_code: 'AARP', member_id: 'M-77', relationship: 'Self', insured: { ...person, gender: 'female', address } };
const newUser = async () => (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;

describe('demographics', () => {
  it('are replaced as a whole, stored encrypted, and 404 until they are set', async () => {
    const user = await newUser();
    const read = () => team.call('GET', `/v2/user/${user}/info/latest`);
    expect((await read()).status).toBe(404);
    await team.call('PATCH', `/v2/user/${user}/info`, info);
    const changed = await team.call('PATCH', `/v2/user/${user}/info`, { ...info, race: null, first_name: ' Eve ' });
    expect(changed.body).toMatchObject({ first_name: 'Eve', race: null, medical_proxy: null, address: { second_line: null } });
    expect((await read()).body).toEqual(changed.body);
    const [row] = await database.current.sql<{ text: string }[]>`SELECT t::text AS text FROM lab_user_info t WHERE user_id = ${user}`;
    expect(row?.text).not.toMatch(/Hara|Main St|ann@/);
  });

  it('report every invalid field, and exist only for active users of the team', async () => {
    const user = await newUser();
    const { status, body } = await team.call('PATCH', `/v2/user/${user}/info`, {
      ...info,
      first_name: '-',
      email: 'x',
      dob: '1990',
      race: 'x',
    });
    expect([status, body.detail.map(({ loc }: { loc: string[] }) => loc[1])]).toEqual([422, ['first_name', 'email', 'dob', 'race']]);
    const other = await harness.newCaller();
    expect((await other.call('PATCH', `/v2/user/${user}/info`, info)).status).toBe(404);
    expect((await other.call('GET', `/v2/user/${user}/info/latest`)).status).toBe(404);
  });
});

describe('insurance', () => {
  it('is stored separately as primary and secondary, and erased with the user', async () => {
    const user = await newUser();
    const read = (query = '') => team.call('GET', `/v2/user/${user}/insurance/latest${query}`);
    expect((await read()).status).toBe(404);
    await team.call('POST', `/v2/user/${user}/insurance`, insurance);
    await team.call('POST', `/v2/user/${user}/insurance`, { ...insurance, member_id: 'M-88', is_primary: false });
    expect((await read()).body).toMatchObject({ member_id: 'M-77', is_primary: true, company: { name: 'AARP' }, guarantor: null });
    expect((await read('?is_primary=false')).body.member_id).toBe('M-88');
    expect((await team.call('POST', `/v2/user/${user}/insurance`, { ...insurance, relationship: 'Cat' })).status).toBe(422);
    await team.call('PATCH', `/v2/user/${user}/info`, info);
    await database.current.transaction((tx) => eraseLabsOfUser(tx, { teamId: team.team.teamId, userId: user }, harness.clock.now()));
    for (const path of ['insurance', 'info']) expect((await team.call('GET', `/v2/user/${user}/${path}/latest`)).status).toBe(404);
  });
});
