import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { assignHeldNotice, expireHeldNotices, listHeldNotices } from '@pulsewire/labs';
import type { AdminContext } from '../../../../services/standalone/src/admin/command/command.ts';
import { runAdmin } from '../../../../services/standalone/src/admin/run-admin.ts';
import type { Caller } from '../../api/support/harness.ts';
import { useFulfilment } from '../support/fulfilment.ts';
import { address, patient } from '../support/order-body.ts';

const harness = useFulfilment();
const { ofLab, order, read, send, work } = harness;
const eve = { ...patient, first_name: 'Eve', dob: '1985-07-07' };
const results = (sampleId: string, of: typeof patient | null, changes: object = {}) => ({
  kind: 'results',
  order_id: null,
  sample_id: sampleId,
  at: '2026-05-04T12:00:30Z',
  report: {
    status: 'final',
    patient: of && { first_name: of.first_name, last_name: of.last_name, birth_date: of.dob, gender: of.gender },
    results: [{ code: '1001', value: '5.1', unit: 'mg/dL', flag: null }],
    missing: [],
  },
  ...changes,
});

/** An order that a team imports at quest with a sample number of its choice. */
async function imported(caller: Caller, sampleId: string, of = patient) {
  const created = await caller.call('POST', '/v3/lab_tests', { marker_ids: [261001], name: 'x', method: 'walk_in_test', description: 'x' });
  const user = await caller.call('POST', '/v2/user', { client_user_id: `${caller.team.teamId} ${sampleId}` });
  const body = {
    billing_type: 'client_bill',
    collection_method: 'walk_in_test',
    sample_id: sampleId,
    order_set: { lab_test_ids: [created.body.id] },
    user_id: user.body.user_id,
    patient_details: of,
    patient_address: { ...address, receiver_name: 'x' },
  };
  const reply = await caller.call('POST', '/v3/order/import', body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.order.id as string;
}
const statusOf = async (caller: Caller, id: string) => (await caller.call('GET', `/v3/order/${id}`)).body.last_event.status;
const reviews = async (caller: Caller) => (await caller.call('GET', '/v3/unmatched_result')).body.total as number;
const notify = async (...notices: object[]) => (await send('lab-quest', harness.company.labWebhook(notices))).status;
const held = () => listHeldNotices(harness.api.labs, { limit: 100 });

describe('a sample number that several teams have', () => {
  it('brings results to the order of their patient only, and shows the other team nothing', async () => {
    const [first, second] = [await harness.api.newCaller(), await harness.api.newCaller()];
    const [ofFirst, ofSecond] = [await imported(first, 'S-1', eve), await imported(second, 'S-1')];
    expect(await notify(results('S-1', patient))).toBe(204);
    expect([await statusOf(first, ofFirst), await statusOf(second, ofSecond)]).toEqual([
      'received.walk_in_test.requisition_bypassed',
      'completed.walk_in_test.completed',
    ]);
    expect([await reviews(first), await held()]).toEqual([0, []]);
  });

  it('brings results that fit several orders, or no patient, to the operator only, who assigns them', async () => {
    const [first, second] = [await harness.api.newCaller(), await harness.api.newCaller()];
    const [ofFirst, ofSecond] = [await imported(first, 'S-2'), await imported(second, 'S-2')];
    for (const patientOf of [patient, null, eve]) expect(await notify(results('S-2', patientOf))).toBe(204);
    expect(await notify(results('S-2', patient))).toBe(204);
    expect((await held()).map(({ reason, labSlug }) => `${labSlug} ${reason}`).toSorted()).toEqual([
      'quest patient_absent',
      'quest patient_mismatch',
      'quest several_orders',
    ]);
    expect([await reviews(first), await reviews(second)]).toEqual([0, 0]);
    const { noticeId } = (await held()).find(({ notice }) => notice.kind === 'results' && notice.patient?.firstName === 'Ann') ?? {};
    expect(await assignHeldNotice(harness.api.labs, noticeId ?? '', ofSecond)).toBe('applied');
    expect(await held()).toHaveLength(2);
    expect([await statusOf(first, ofFirst), await statusOf(second, ofSecond)]).toEqual([
      'received.walk_in_test.requisition_bypassed',
      'completed.walk_in_test.completed',
    ]);
  });

  it('is free for the orders of production teams if a sandbox team has it', async () => {
    const sandbox = await harness.api.newCaller({ isSandbox: true });
    harness.company.faults.push('lost_response');
    const { id } = await order(harness.tests.walkIn);
    await work();
    const { sampleId } = ofLab(id)[0] as { sampleId: string };
    await imported(sandbox, sampleId);
    await work(60_000);
    expect((await read(id)).sample_id).toBe(sampleId);
    expect(await notify(results(sampleId, patient))).toBe(204);
    expect((await read(id)).last_event.status).toBe('completed.walk_in_test.completed');
  });

  it('and account ends the second order as failed, and a notice about it waits for the operator', async () => {
    harness.company.faults.push('lost_response');
    const { id } = await order(harness.tests.walkIn);
    await work();
    const { sampleId } = ofLab(id)[0] as { sampleId: string };
    await imported(harness.team, sampleId);
    expect(await notify({ kind: 'state', order_id: id, sample_id: sampleId, state: 'accepted', at: '2026-05-04T12:00:10Z' })).toBe(204);
    expect((await held()).at(-1)?.reason).toBe('refused_23505');
    await work(60_000);
    expect((await read(id)).last_event).toMatchObject({ status: 'cancelled.walk_in_test.cancelled', status_detail: 'fulfillment_error' });
    const jobs = await harness.database.current.sql`SELECT kind FROM lab_partner_jobs WHERE order_id = ${id} AND kind = 'place_order'`;
    expect(jobs).toEqual([]);
  });
});

describe('results without an order id', () => {
  const vera = { first_name: 'Vera', last_name: 'Victim', birth_date: '1971-01-01' };
  it.each([
    ['patient_absent', null],
    ['patient_absent', undefined],
    ['patient_incomplete', { ...vera, birth_date: undefined }],
    ['patient_incomplete', { ...vera, first_name: '' }],
    ['patient_incomplete', { ...vera, last_name: ' ' }],
    ['patient_incomplete', { ...vera, birth_date: 19710101 }],
    ['patient_incomplete', { ...vera, birth_date: '1971-02-30' }],
    ['patient_incomplete', { name: 'Vera Victim', birth_date: '1971-01-01' }],
    ['patient_incomplete', 'Vera Victim'],
    ['patient_incomplete', []],
    ['patient_mismatch', vera],
  ])('reach no team but the operator as %s if they name their patient as %j', async (reason, named) => {
    const team = await harness.api.newCaller();
    const sampleId = randomUUID();
    const id = await imported(team, sampleId);
    const notice = results(sampleId, null);
    expect(await notify({ ...notice, report: { ...notice.report, patient: named } })).toBe(204);
    expect(await statusOf(team, id)).toBe('received.walk_in_test.requisition_bypassed');
    expect((await team.call('GET', `/v3/order/${id}/result`)).status).toBe(404);
    expect(await reviews(team)).toBe(0);
    const ofSample = (await held()).filter(({ notice: one }) => one.kind === 'results' && one.sampleId === sampleId);
    expect(ofSample.map((one) => one.reason)).toEqual([reason]);
  });
});

describe('results with an order id', () => {
  it.each([
    ['complete their order if they name no patient', null, 'completed.walk_in_test.completed', 0],
    ['await review if they name half a patient', { first_name: 'Ann' }, 'received.walk_in_test.requisition_created', 1],
    ['await review if they name another patient', eve, 'received.walk_in_test.requisition_created', 1],
  ])('of the lab %s', async (_, named, status, reviewed) => {
    const { id } = await order(harness.tests.walkIn);
    await work();
    const { sampleId } = ofLab(id)[0] as { sampleId: string };
    const before = await reviews(harness.team);
    const notice = results(sampleId, null, { order_id: id });
    expect(await notify({ ...notice, report: { ...notice.report, patient: named } })).toBe(204);
    expect(await statusOf(harness.team, id)).toBe(status);
    expect((await reviews(harness.team)) - before).toBe(reviewed);
  });

  it('but the sample of another order of the team await review if they name no patient', async () => {
    const { id } = await order(harness.tests.walkIn);
    await work();
    const sampleId = randomUUID();
    const other = await imported(harness.team, sampleId, eve);
    expect(await notify(results(sampleId, null, { order_id: id }))).toBe(204);
    expect(await statusOf(harness.team, other)).toBe('received.walk_in_test.requisition_bypassed');
    expect((await harness.team.call('GET', `/v3/order/${other}/result`)).status).toBe(404);
  });
});

describe('results whose order id cannot be read', () => {
  it.each([' ', 'x', 'blank', 'braces', 7, [], {}, ''])(
    '%j wait for the operator, although a sample and its patient match',
    async (given) => {
      const [team, sampleId] = [await harness.api.newCaller(), randomUUID()];
      const id = await imported(team, sampleId);
      const orderId = given === 'blank' ? ` ${id}` : given === 'braces' ? `{${id}}` : given;
      const before = (await held()).length;
      expect(await notify(results(sampleId, patient, { order_id: orderId }))).toBe(204);
      expect([await statusOf(team, id), (await held()).length - before]).toEqual(['received.walk_in_test.requisition_bypassed', 1]);
    },
  );
});

describe('a notice that cannot be stored', () => {
  it.each([
    ['incomplete', { at: undefined }],
    ['incomplete', { report: { status: 'nearly final', results: [] } }],
    ['incomplete', { sample_id: 4711 }],
    ['incomplete', { kind: 'state', state: 'received' }],
    ['nul_character', { sample_id: 'S-3\0' }],
    ['time_out_of_range', { at: '+275760-09-13T00:00:00Z' }],
    ['time_out_of_range', { at: '-000001-01-01T00:00:00Z' }],
  ])('is held with its reason %s, while the others of its webhook are applied', async (reason, changes) => {
    const team = await harness.api.newCaller();
    const sampleId = randomUUID();
    const id = await imported(team, sampleId);
    expect(await notify(results('S-3', patient, changes), results(sampleId, patient))).toBe(204);
    expect(await statusOf(team, id)).toBe('completed.walk_in_test.completed');
    expect((await held()).map((one) => one.reason)).toContain(reason);
  });
});

describe('a held notice', () => {
  const admin = async (...words: readonly string[]) => {
    const lines: string[] = [];
    const { database, cipher, clock } = harness.api.labs;
    const code = await runAdmin(['labs', ...words], {
      database,
      cipher,
      clock,
      print: (line: string) => void lines.push(line),
    } as unknown as AdminContext);
    return { code, text: lines.join('\n') };
  };
  const noticeOf = async (sampleId: string) => {
    const found = (await held()).find(({ notice }) => notice.kind === 'results' && notice.sampleId === sampleId);
    return found?.noticeId ?? '';
  };

  it('is listed and shown to the operator, who assigns it to an order once', async () => {
    const [owner, other] = [await harness.api.newCaller(), await harness.api.newCaller()];
    const id = await imported(owner, 'H-1');
    await imported(other, 'H-1');
    expect(await notify(results('H-1', patient))).toBe(204);
    const noticeId = await noticeOf('H-1');
    expect((await admin('held')).text).toContain(`${noticeId}  quest  `);
    expect(JSON.parse((await admin('held', noticeId)).text)).toMatchObject({ sampleId: 'H-1', patient: { firstName: 'Ann' } });
    expect(await admin('assign-held', noticeId, randomUUID())).toMatchObject({ code: 1 });
    expect(await noticeOf('H-1')).toBe(noticeId);
    expect((await admin('assign-held', noticeId, id)).code).toBe(0);
    expect(await statusOf(owner, id)).toBe('completed.walk_in_test.completed');
    expect(await admin('assign-held', noticeId, id)).toMatchObject({ code: 1, text: 'There is no held notice with this id.' });
  });

  it('is deleted on the order of the operator, or when nobody has decided for 180 days', async () => {
    const [owner, other] = [await harness.api.newCaller(), await harness.api.newCaller()];
    for (const sampleId of ['H-3', 'H-4', 'H-5']) {
      for (const caller of [owner, other]) await imported(caller, sampleId, eve);
      expect(await notify(results(sampleId, eve))).toBe(204);
    }
    expect((await admin('drop-held', await noticeOf('H-3'))).code).toBe(0);
    const { database, clock } = harness.api.labs;
    const old = await noticeOf('H-4');
    await database.sql`UPDATE lab_held_notices SET created_at = ${clock.now().toISOString()}::timestamptz - interval '181 days' WHERE notice_id = ${old}`;
    expect(await expireHeldNotices(database, clock)).toBe(1);
    expect([await noticeOf('H-3'), await noticeOf('H-4')]).toEqual(['', '']);
    expect(await noticeOf('H-5')).not.toBe('');
  });
});
