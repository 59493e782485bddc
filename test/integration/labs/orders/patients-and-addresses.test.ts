import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { address, orderBody, patient } from '../support/order-body.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { sandboxUsersMax: 1000 } });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

const order = async (changes: object) => team.call('POST', '/v3/order', await orderBody(team, 'walk_in_test', changes));
const fieldsOf = (body: { detail: { loc: string[] }[] }) => body.detail.map(({ loc }) => loc.at(-1));

describe('the address of a patient', () => {
  it.each([
    ['DC', '20001'],
    ['PR', '00901'],
    ['GU', '96910'],
    ['VI', '00802'],
    ['AS', '96799'],
    ['MP', '96950'],
    ['AA', '34002'],
    ['AE', '09012'],
    ['AP', '96201'],
  ])('may be in %s', async (state, zip) => {
    expect((await order({ patient_address: { ...address, state, zip } })).status).toBe(200);
  });

  it('may have blanks around its ZIP code, which are left out', async () => {
    const { status, body } = await order({ patient_address: { ...address, zip: ' 85004-1234\n' } });
    expect(status).toBe(200);
    expect(body.order.patient_address.zip).toBe('85004-1234');
  });
});

describe('a patient', () => {
  it.each(['1899-12-31', '0001-01-01', '2999-01-01', '9999-12-31'])('cannot be born on %s, wherever a birth date is sent', async (dob) => {
    const { status, body } = await order({ patient_details: { ...patient, dob } });
    expect([status, fieldsOf(body)]).toEqual([422, ['dob']]);
    const { user_id: userId } = (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
    const info = { ...patient, address };
    expect((await team.call('PATCH', `/v2/user/${userId}/info`, { ...info, dob })).status).toBe(422);
    expect((await team.call('PATCH', `/v2/user/${userId}/info`, info)).status).toBe(200);
    expect((await team.call('POST', '/v2/user', { client_user_id: randomUUID(), fallback_birth_date: dob })).status).toBe(422);
  });

  it('has no tabs or line breaks within names', async () => {
    for (const name of ['Anna\tMaria', 'Anna\nMaria', 'Anna\u2028Maria'])
      expect((await order({ patient_details: { ...patient, first_name: name } })).status).toBe(422);
    expect((await order({ patient_details: { ...patient, first_name: 'Anna Maria' } })).status).toBe(200);
  });

  it('comes of age on the birthday at the own address', async () => {
    const now = harness.clock.now();
    // The evening of 1 June in UTC, when 2 June has begun on Guam.
    harness.clock.advance(Date.UTC(now.getUTCFullYear() + 1, 5, 1, 20) - now.getTime());
    const details = { ...patient, dob: `${now.getUTCFullYear() + 1 - 18}-06-02` };
    const onGuam = { ...address, state: 'GU', zip: '96910' };
    expect((await order({ patient_details: details, patient_address: onGuam })).status).toBe(200);
    const { status, body } = await order({ patient_details: details });
    expect([status, body.detail]).toEqual([400, 'The team may not order for patients under 18']);
  });
});

describe('a repeated order', () => {
  it('is the same with and without fields that are null', async () => {
    const body = await orderBody(team);
    const headers = { 'x-idempotency-key': randomUUID() };
    const first = await team.call('POST', '/v3/order', body, headers);
    const again = await team.call('POST', '/v3/order', { ...body, notes: null, physician: null }, headers);
    expect([first.status, again.status, again.body.order.id]).toEqual([200, 200, first.body.order.id]);
  });
});
