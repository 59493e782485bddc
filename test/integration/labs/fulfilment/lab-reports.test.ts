import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { at, state, useFulfilment } from '../support/fulfilment.ts';
import { address, patient } from '../support/order-body.ts';

const harness = useFulfilment();
const { lowStatus, newUser, ofLab, order, read, send, statuses, work } = harness;

describe('lab reports', () => {
  const results = (id: string | null, sampleId: string, seconds: number, status = 'final', value = '5.1') => ({
    kind: 'results',
    order_id: id,
    sample_id: sampleId,
    at: at(seconds).toISOString(),
    report: {
      status,
      collected_at: at(0).toISOString(),
      patient: null,
      results: [{ code: '1001', value, unit: 'mg/dL', flag: null }],
      missing: [],
    },
  });

  it('are applied once and in order even if they arrive late, twice, together or reversed', async () => {
    const { id } = await order(harness.tests.walkIn);
    await work();
    const { sampleId } = ofLab(id)[0] as { sampleId: string };
    const final = harness.company.labWebhook([
      results(id, sampleId, 30),
      state(id, 'collected', 10),
      { kind: 'nonsense' },
      state(randomUUID(), 'received', 5),
    ]);
    for (const webhook of [final, final, harness.company.labWebhook([state(id, 'accepted', 1)])])
      expect((await send('lab-quest', webhook)).status).toBe(204);
    expect(await statuses(id)).toEqual(['ordered', 'requisition_created', 'completed']);
    await send('lab-quest', harness.company.labWebhook([results(id, sampleId, 40, 'corrected', '6.2')]));
    await send('lab-quest', harness.company.labWebhook([results(id, sampleId, 40, 'corrected', '6.2')]));
    expect((await statuses(id)).slice(-2)).toEqual(['completed', 'corrected']);
    const events = await harness.database.current.sql`
      SELECT json FROM log_events WHERE event_type LIKE 'labtest.order.%' AND json LIKE ${`%"id":"${id}"%`}`;
    expect(events).toHaveLength(4);
  });

  it('that arrive before the response to the order create its requisition', async () => {
    harness.company.faults.push('lost_response');
    const { id } = await order(harness.tests.walkIn);
    await work();
    expect(await lowStatus(id)).toBe('ordered');
    const { sampleId } = ofLab(id)[0] as { sampleId: string };
    await send('lab-quest', harness.company.labWebhook([results(id, sampleId, 30)]));
    expect(await statuses(id)).toEqual(['ordered', 'requisition_created', 'completed']);
    await work(60_000);
    expect([await lowStatus(id), ofLab(id).length]).toEqual(['completed', 1]);
  });

  it('match an imported order by its sample, and are rejected without a signature', async () => {
    const set = { lab_test_ids: [harness.tests.walkIn] };
    const imported = { billing_type: 'client_bill', collection_method: 'walk_in_test', sample_id: 'IMP-1', order_set: set };
    const body = { ...imported, user_id: await newUser(), patient_details: patient, patient_address: { ...address, receiver_name: 'Ann' } };
    const { id } = (await harness.team.call('POST', '/v3/order/import', body)).body.order;
    const notice = results(null, 'IMP-1', 30);
    const named = { first_name: patient.first_name, last_name: patient.last_name, birth_date: patient.dob };
    const webhook = harness.company.labWebhook([{ ...notice, report: { ...notice.report, patient: named } }]);
    expect((await send('lab-quest', { ...webhook, body: `${webhook.body} ` })).status).toBe(403);
    expect((await send('lab-labcorp', webhook)).status).toBe(404);
    expect((await send('lab-quest', webhook)).status).toBe(204);
    expect(await lowStatus(id)).toBe('completed');
  });

  it("state the day of collection in the patient's time zone, not in UTC", async () => {
    const { id } = await order(harness.tests.walkIn);
    await work();
    // Three in the morning in UTC is the evening before in Phoenix.
    await send('lab-quest', harness.company.labWebhook([state(id, 'collected', 15 * 3600)]));
    const { expected_result_by_date: expected, lab_test: test } = await read(id);
    const day = new Date(Date.parse('2026-05-04') + test.common_tat_days * 86_400_000);
    expect(expected).toBe(day.toISOString().slice(0, 10));
  });

  it("results from one lab do not change another lab's orders", async () => {
    const { id } = await order(harness.tests.walkIn);
    await work();
    await send('lab-ussl', harness.company.labWebhook([state(id, 'cancelled', 10)]));
    expect(await lowStatus(id)).toBe('requisition_created');
  });
});
