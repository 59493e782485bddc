import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { allPartners, loadLabData, type PartnerMaker } from '@pulsewire/labs';
import { createHttpClient } from '@pulsewire/outbound';
import { createLabCompany, type LabCompany, type SignedWebhook } from '@pulsewire/sandbox';
import { useDatabase } from '../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { createLabs, createLabWorker, workAll } from './support/lab-worker.ts';
import { address, patient, shipping } from './support/order-body.ts';

const database = useDatabase();
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
const http = createHttpClient({ userAgent: 'test' });
const slugs = 'quest,ussl';
let company: LabCompany;
let harness: ApiHarness;
let team: Caller;
let walkIn: string;
let kitTest: string;

const partners = (): PartnerMaker[] =>
  allPartners.map((make) => ({ clock }) => {
    const { baseUrl, token, webhookSecret } = company;
    const given = { baseUrl, token, webhookSecret, labs: slugs };
    return make({ clock, http, settings: { lab: given, kits: given } });
  });

beforeAll(async () => {
  company = await createLabCompany();
  harness = await createApiHarness(database.current, { overrides: { cipher, partners: partners() } });
  await loadLabData(database.current, harness.clock);
  team = await harness.newCaller();
  const test = { marker_ids: [261001], name: 'At the lab', method: 'walk_in_test', description: 'x' };
  walkIn = (await team.call('POST', '/v3/lab_tests', test)).body.id;
  const kit = { marker_ids: [45006], name: 'Kit', method: 'testkit', description: 'x' };
  const created = await team.call('POST', '/v3/lab_tests', kit);
  expect(created.status, created.text).toBe(200);
  kitTest = created.body.id;
});
afterAll(async () => {
  await harness.close();
  await company.close();
  http.close();
});
beforeEach(async () => {
  await database.current.sql`DELETE FROM lab_partner_jobs`;
  company.faults.length = 0;
});

const work = (ms = 0) => {
  harness.clock.advance(ms);
  return workAll(createLabWorker(createLabs({ database: database.current, cipher, clock: harness.clock, partners: partners() })));
};
const newUser = async () => (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;
async function order(testId: string, changes: object = {}) {
  const ordered = { user_id: await newUser(), order_set: { lab_test_ids: [testId] } };
  const reply = await team.call('POST', '/v3/order', { ...ordered, patient_details: patient, patient_address: address, ...changes });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.order;
}
const read = async (id: string) => (await team.call('GET', `/v3/order/${id}`)).body;
const lowStatus = async (id: string) => (await read(id)).last_event.status.split('.')[2] as string;
const statuses = async (id: string) => (await read(id)).events.map((event: { status: string }) => event.status.split('.')[2]);
const ofLab = (id: string) => company.orders.filter(({ orderId }) => orderId === id);
const send = (name: string, { headers, body }: SignedWebhook) => harness.bare('POST', `/v2/push/lab_partner/${name}`, body, headers);
const at = (seconds: number) => new Date(Date.parse('2026-05-04T12:00:00Z') + seconds * 1000);
const state = (id: string, name: string, seconds: number, more: object = {}) => ({
  kind: 'state',
  order_id: id,
  sample_id: null,
  state: name,
  at: at(seconds).toISOString(),
  ...more,
});
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const image = { content: png.toString('base64'), content_type: 'image/png' };

describe('an order at a lab', () => {
  it('arrives there once with its details, although responses are lost, and then has its requisition', async () => {
    company.faults.push('unavailable', 'lost_call', 'lost_response');
    const { id } = await order(walkIn, { clinical_notes: 'Fasting', icd_codes: ['E11.9'], priority: true });
    expect(await lowStatus(id)).toBe('ordered');
    for (let round = 0; round < 4; round++) await work(60_000);
    expect([await lowStatus(id), ofLab(id).length]).toEqual(['requisition_created', 1]);
    expect((await read(id)).sample_id).toBe(ofLab(id)[0]?.sampleId);
    expect(ofLab(id)[0]?.request).toMatchObject({
      lab: 'quest',
      clinical_notes: 'Fasting',
      icd_codes: ['E11.9'],
      is_urgent: true,
      collection_method: 'walk_in_test',
      patient: { first_name: 'Ann', address: { zip: '85004' } },
    });
  });

  it('includes the signature and the insurance, of which responses show only an id', async () => {
    const physician = { first_name: 'Meg', last_name: 'Doc', npi: '1234567890', signature_image: image };
    const insurance = { payor_code: 'AARP', insurance_id: 'M-1', responsible_relationship: 'Self', front_image: image };
    const created = await order(walkIn, { physician, health_insurance: insurance });
    expect([created.health_insurance_id, created.physician]).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      { first_name: 'Meg', last_name: 'Doc', npi: '1234567890' },
    ]);
    await work();
    const request = ofLab(created.id)[0]?.request as Record<string, Record<string, unknown>>;
    expect(request['physician']).toMatchObject({ npi: '1234567890', signature: image });
    expect(request['insurance']).toMatchObject({ payor_code: 'AARP', insurance_id: 'M-1', front: image, back: null });
    const stored = await database.current.sql`SELECT part, content FROM lab_order_files WHERE order_id = ${created.id} ORDER BY part`;
    expect(stored.map(({ part }) => part)).toEqual(['insurance_front', 'physician_signature']);
    expect(stored.some(({ content }) => (content as Buffer).includes(png.subarray(0, 8)))).toBe(false);
    const wrong = { ...image, content_type: 'image/jpeg' };
    const refused = order(walkIn, { physician: { ...physician, signature_image: wrong } });
    await expect(refused).rejects.toThrow('physician.signature_image is not an image of the type image/jpeg');
  });

  it('has an advance beneficiary notice when the lab sends one', async () => {
    company.abn = Buffer.from('%PDF-1.4 notice').toString('base64');
    const [first, second] = [await order(walkIn), await order(walkIn)];
    await work();
    const notices = await Promise.all(
      [first, second].map(({ id }) =>
        harness.api.app.inject({ url: `/v3/order/${id}/abn_pdf`, headers: { 'x-service-api-key': team.key } }),
      ),
    );
    const found = notices.filter(({ statusCode }) => statusCode === 200);
    expect([found.length, found[0]?.rawPayload.toString()]).toEqual([1, '%PDF-1.4 notice']);
    const flags = await Promise.all([first, second].map(async ({ id }) => (await read(id)).has_abn as boolean));
    expect(flags).toContain(true);
    expect(flags).toContain(false);
  });

  it('is cancelled with the reason when the lab refuses it', async () => {
    company.faults.push('refused');
    const { id } = await order(walkIn);
    await work();
    expect((await read(id)).last_event).toMatchObject({ status: 'cancelled.walk_in_test.cancelled', status_detail: 'fulfillment_error' });
  });

  it('is cancelled there when it is cancelled here, even if it arrives only afterwards', async () => {
    const { id } = await order(walkIn);
    await work();
    await team.call('POST', `/v3/order/${id}/cancel`);
    await work();
    expect(ofLab(id)).toMatchObject([{ isCancelled: true }]);
    company.faults.push('lost_call');
    const late = await order(walkIn);
    await work();
    expect((await team.call('POST', `/v3/order/${late.id}/cancel`)).status).toBe(200);
    await work();
    await fetch(`${company.baseUrl}/orders/${late.id}`, {
      method: 'PUT',
      body: '{}',
      headers: { authorization: `Bearer ${company.token}` },
    });
    await work(600_000);
    expect(ofLab(late.id)).toMatchObject([{ isCancelled: true }]);
  });

  it('is held back while its user is deleted, until the deletion is undone', async () => {
    const { id, user_id: userId } = await order(walkIn);
    await team.call('DELETE', `/v2/user/${userId}`);
    await work(60_000);
    expect(ofLab(id)).toEqual([]);
    await team.call('POST', `/v2/user/undo_delete?user_id=${userId}`);
    await work(2 * 3_600_000);
    expect(ofLab(id)).toHaveLength(1);
  });
});

describe('reports of a lab', () => {
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

  it('are applied once and in order although they arrive late, twice, together and backwards', async () => {
    const { id } = await order(walkIn);
    await work();
    const { sampleId } = ofLab(id)[0] as { sampleId: string };
    const final = company.labWebhook([
      results(id, sampleId, 30),
      state(id, 'collected', 10),
      { kind: 'nonsense' },
      state(randomUUID(), 'received', 5),
    ]);
    for (const webhook of [final, final, company.labWebhook([state(id, 'accepted', 1)])])
      expect((await send('lab-quest', webhook)).status).toBe(204);
    expect(await statuses(id)).toEqual(['ordered', 'requisition_created', 'completed']);
    await send('lab-quest', company.labWebhook([results(id, sampleId, 40, 'corrected', '6.2')]));
    await send('lab-quest', company.labWebhook([results(id, sampleId, 40, 'corrected', '6.2')]));
    expect((await statuses(id)).slice(-2)).toEqual(['completed', 'corrected']);
    const events = await database.current.sql`
      SELECT json FROM log_events WHERE event_type LIKE 'labtest.order.%' AND json LIKE ${`%"id":"${id}"%`}`;
    expect(events).toHaveLength(4);
  });

  it('that overtake the response to the order create its requisition', async () => {
    company.faults.push('lost_response');
    const { id } = await order(walkIn);
    await work();
    expect(await lowStatus(id)).toBe('ordered');
    const { sampleId } = ofLab(id)[0] as { sampleId: string };
    await send('lab-quest', company.labWebhook([results(id, sampleId, 30)]));
    expect(await statuses(id)).toEqual(['ordered', 'requisition_created', 'completed']);
    await work(60_000);
    expect([await lowStatus(id), ofLab(id).length]).toEqual(['completed', 1]);
  });

  it('reach an imported order by its sample, and are refused without a signature', async () => {
    const set = { lab_test_ids: [walkIn] };
    const imported = { billing_type: 'client_bill', collection_method: 'walk_in_test', sample_id: 'IMP-1', order_set: set };
    const body = { ...imported, user_id: await newUser(), patient_details: patient, patient_address: { ...address, receiver_name: 'Ann' } };
    const { id } = (await team.call('POST', '/v3/order/import', body)).body.order;
    const webhook = company.labWebhook([results(null, 'IMP-1', 30)]);
    expect((await send('lab-quest', { ...webhook, body: `${webhook.body} ` })).status).toBe(403);
    expect((await send('lab-labcorp', webhook)).status).toBe(404);
    expect((await send('lab-quest', webhook)).status).toBe(204);
    expect(await lowStatus(id)).toBe('completed');
  });
});

describe('a test kit', () => {
  const move = (id: string, name: string, seconds: number) => company.move(id, name, at(seconds));

  it('is sent once the lab has accepted the order, and shows its way and tracking numbers', async () => {
    const { id } = await order(kitTest);
    expect((await read(id)).details.data.shipment).toBeNull();
    company.faults.push('none', 'lost_response');
    await work();
    await work(60_000);
    const [parcel] = company.parcels.filter(({ orderId }) => orderId === id);
    expect([company.parcels.filter(({ orderId }) => orderId === id).length, await lowStatus(id)]).toEqual([1, 'requisition_created']);
    expect(parcel?.sampleId).toBe(ofLab(id)[0]?.sampleId);
    const base = Math.ceil((Date.parse(parcel?.at ?? '') - at(0).getTime()) / 1000);
    const sent = move(id, 'transit_customer', base + 10);
    const arrived = move(id, 'with_customer', base + 30);
    const lost = company.move(id, 'out_for_delivery', at(base + 20));
    for (const webhook of [sent, sent, arrived, lost, sent]) expect((await send('kits-ussl', webhook)).status).toBe(204);
    expect((await statuses(id)).slice(1)).toEqual(['requisition_created', 'transit_customer', 'with_customer']);
    await send('kits-ussl', move(id, 'transit_lab', base + 40));
    const { details, expected_result_by_date: expected } = await read(id);
    expect(details.data.shipment).toMatchObject({
      outbound_tracking_number: `OUT-${parcel?.sampleId}`,
      inbound_tracking_number: `IN-${parcel?.sampleId}`,
      outbound_courier: 'Example Courier',
    });
    expect(expected).not.toBeNull();
    await send('lab-ussl', company.labWebhook([state(id, 'blocked', 50, { detail: 'demographic_information_mismatch' })]));
    expect((await read(id)).last_event).toMatchObject({
      status: 'sample_with_lab.testkit.lab_processing_blocked',
      status_detail: 'demographic_information_mismatch',
    });
    await send('lab-ussl', company.labWebhook([state(id, 'received', 45)]));
    expect(await lowStatus(id)).toBe('lab_processing_blocked');
  });

  it('without a patient gets its number from the company, and moves on only after its registration', async () => {
    const body = { user_id: await newUser(), lab_test_id: kitTest, shipping_details: shipping };
    const { id } = (await team.call('POST', '/v3/order/testkit', body)).body.order;
    await work();
    const { sample_id: sampleId } = await read(id);
    expect([sampleId, company.parcels.find(({ orderId }) => orderId === id)?.request]).toMatchObject([
      expect.stringMatching(/^KIT-/),
      { recipient: 'Ben Receiver', address: { zip: '85004' } },
    ]);
    const now = () => new Date(Date.now() + 3_600_000);
    await send('kits-ussl', company.move(id, 'with_customer', now()));
    await send('kits-ussl', company.move(id, 'transit_lab', new Date(now().getTime() + 1000)));
    expect(await lowStatus(id)).toBe('with_customer');
    const registration = { sample_id: sampleId, patient_details: patient, patient_address: address };
    expect((await team.call('POST', '/v3/order/testkit/register', registration)).status).toBe(200);
    await work();
    expect((await statuses(id)).slice(-3)).toEqual(['registered', 'requisition_created', 'transit_lab']);
    expect([ofLab(id)[0]?.sampleId, (await read(id)).sample_id]).toEqual([sampleId, sampleId]);
  });

  it('is stopped when the lab refuses its order, and the lab when the company cancels the kit', async () => {
    const body = { user_id: await newUser(), lab_test_id: kitTest, shipping_details: shipping };
    const { id } = (await team.call('POST', '/v3/order/testkit', body)).body.order;
    await work();
    const { sample_id: sampleId } = await read(id);
    await team.call('POST', '/v3/order/testkit/register', { sample_id: sampleId, patient_details: patient, patient_address: address });
    company.faults.push('refused');
    await work();
    await work();
    expect([await lowStatus(id), company.parcels.find(({ orderId }) => orderId === id)?.state]).toEqual(['cancelled', 'cancelled']);
    const placed = await order(kitTest);
    await work();
    await work();
    await send('kits-ussl', company.move(placed.id, 'cancelled', new Date(Date.now() + 60_000)));
    await work();
    expect([await lowStatus(placed.id), ofLab(placed.id)[0]?.isCancelled]).toEqual(['cancelled', true]);
  });

  it('is stopped when its order is cancelled before it is sent', async () => {
    const { id } = await order(kitTest);
    await work();
    await work();
    expect((await team.call('POST', `/v3/order/${id}/cancel`)).status).toBe(200);
    await work();
    expect([company.parcels.find(({ orderId }) => orderId === id)?.state, ofLab(id)[0]?.isCancelled]).toEqual(['cancelled', true]);
  });
});
