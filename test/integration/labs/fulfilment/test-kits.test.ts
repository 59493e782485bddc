import { describe, expect, it } from 'vitest';
import { at, state, useFulfilment } from '../support/fulfilment.ts';
import { address, patient, shipping } from '../support/order-body.ts';

const harness = useFulfilment();
const { lowStatus, newUser, ofLab, order, read, send, statuses, work } = harness;

describe('a test kit', () => {
  const move = (id: string, name: string, seconds: number) => harness.company.move(id, name, at(seconds));

  it('is sent once the lab has accepted the order, and shows its shipments and tracking numbers', async () => {
    const { id } = await order(harness.tests.kit);
    expect((await read(id)).details.data.shipment).toBeNull();
    harness.company.faults.push('none', 'lost_response');
    await work();
    await work(60_000);
    const [parcel] = harness.company.parcels.filter(({ orderId }) => orderId === id);
    expect([harness.company.parcels.filter(({ orderId }) => orderId === id).length, await lowStatus(id)]).toEqual([
      1,
      'requisition_created',
    ]);
    expect(parcel?.sampleId).toBe(ofLab(id)[0]?.sampleId);
    const base = Math.ceil((Date.parse(parcel?.at ?? '') - at(0).getTime()) / 1000);
    const sent = move(id, 'transit_customer', base + 10);
    const arrived = move(id, 'with_customer', base + 30);
    const lost = harness.company.move(id, 'out_for_delivery', at(base + 20));
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
    await send('lab-ussl', harness.company.labWebhook([state(id, 'blocked', 50, { detail: 'demographic_information_mismatch' })]));
    expect((await read(id)).last_event).toMatchObject({
      status: 'sample_with_lab.testkit.lab_processing_blocked',
      status_detail: 'demographic_information_mismatch',
    });
    await send('lab-ussl', harness.company.labWebhook([state(id, 'received', 45)]));
    expect(await lowStatus(id)).toBe('lab_processing_blocked');
  });

  it('without a patient gets its number from the company, and proceeds only once registered', async () => {
    const body = { user_id: await newUser(), lab_test_id: harness.tests.kit, shipping_details: shipping };
    const { id } = (await harness.team.call('POST', '/v3/order/testkit', body)).body.order;
    await work();
    const { sample_id: sampleId } = await read(id);
    expect([sampleId, harness.company.parcels.find(({ orderId }) => orderId === id)?.request]).toMatchObject([
      expect.stringMatching(/^KIT-/),
      { recipient: 'Ben Receiver', address: { zip: '85004' } },
    ]);
    const now = () => new Date(Date.now() + 3_600_000);
    await send('kits-ussl', harness.company.move(id, 'with_customer', now()));
    await send('kits-ussl', harness.company.move(id, 'transit_lab', new Date(now().getTime() + 1000)));
    expect(await lowStatus(id)).toBe('with_customer');
    const registration = { sample_id: sampleId, patient_details: patient, patient_address: address };
    expect((await harness.team.call('POST', '/v3/order/testkit/register', registration)).status).toBe(200);
    await work();
    expect((await statuses(id)).slice(-3)).toEqual(['registered', 'requisition_created', 'transit_lab']);
    expect([ofLab(id)[0]?.sampleId, (await read(id)).sample_id]).toEqual([sampleId, sampleId]);
  });

  it('follows its parcel when the lab announces the order before its response arrives', async () => {
    const body = { user_id: await newUser(), lab_test_id: harness.tests.kit, shipping_details: shipping };
    const { id } = (await harness.team.call('POST', '/v3/order/testkit', body)).body.order;
    await work();
    const registration = { sample_id: (await read(id)).sample_id, patient_details: patient, patient_address: address };
    expect((await harness.team.call('POST', '/v3/order/testkit/register', registration)).status).toBe(200);
    await send('kits-ussl', harness.company.move(id, 'delivered_to_lab', new Date(Date.now() + 3_600_000)));
    await send('lab-ussl', harness.company.labWebhook([state(id, 'accepted', 0)]));
    await work();
    expect((await statuses(id)).slice(-4)).toEqual(['registered', 'requisition_created', 'transit_lab', 'delivered_to_lab']);
  });

  it('is sent once when the lab announces the order before its response arrives', async () => {
    const { id } = await order(harness.tests.kit);
    await send('lab-ussl', harness.company.labWebhook([state(id, 'accepted', 0)]));
    await work();
    await work();
    expect([harness.company.parcels.filter(({ orderId }) => orderId === id).length, await lowStatus(id)]).toEqual([
      1,
      'requisition_created',
    ]);
  });

  it('is cancelled if the lab rejects its order, and the order if the company cancels the kit', async () => {
    const body = { user_id: await newUser(), lab_test_id: harness.tests.kit, shipping_details: shipping };
    const { id } = (await harness.team.call('POST', '/v3/order/testkit', body)).body.order;
    await work();
    const { sample_id: sampleId } = await read(id);
    await harness.team.call('POST', '/v3/order/testkit/register', {
      sample_id: sampleId,
      patient_details: patient,
      patient_address: address,
    });
    harness.company.faults.push('refused');
    await work();
    await work();
    expect([await lowStatus(id), harness.company.parcels.find(({ orderId }) => orderId === id)?.state]).toEqual(['cancelled', 'cancelled']);
    const placed = await order(harness.tests.kit);
    await work();
    await work();
    await send('kits-ussl', harness.company.move(placed.id, 'cancelled', new Date(Date.now() + 60_000)));
    await work();
    expect([await lowStatus(placed.id), ofLab(placed.id)[0]?.isCancelled]).toEqual(['cancelled', true]);
  });

  it('is not sent if its order is cancelled beforehand', async () => {
    const { id } = await order(harness.tests.kit);
    await work();
    await work();
    expect((await harness.team.call('POST', `/v3/order/${id}/cancel`)).status).toBe(200);
    await work();
    expect([harness.company.parcels.find(({ orderId }) => orderId === id)?.state, ofLab(id)[0]?.isCancelled]).toEqual(['cancelled', true]);
  });

  it("is updated only by its lab's company, which cannot update other kinds of orders", async () => {
    const { id } = await order(harness.tests.kit);
    await work();
    await work();
    const later = new Date(Date.now() + 3_600_000);
    await send('kits-quest', harness.company.move(id, 'with_customer', later));
    expect([await lowStatus(id), (await read(id)).details.data.shipment.inbound_courier]).toEqual(['requisition_created', null]);
    const { id: atLab } = await order(harness.tests.walkIn);
    await work();
    const headers = { authorization: `Bearer ${harness.company.token}` };
    for (const invented of [atLab, 'no-uuid']) {
      await fetch(`${harness.company.baseUrl}/shipments/${invented}`, { method: 'PUT', body: '{}', headers });
      expect((await send('kits-quest', harness.company.move(invented, 'cancelled', later))).status).toBe(204);
    }
    expect([await lowStatus(atLab), (await read(atLab)).sample_id]).toEqual(['requisition_created', ofLab(atLab)[0]?.sampleId]);
    await send('kits-ussl', harness.company.move(id, 'with_customer', later));
    expect(await lowStatus(id)).toBe('with_customer');
  });
});
