import { describe, expect, it } from 'vitest';
import { useFulfilment } from '../support/fulfilment.ts';

const harness = useFulfilment();
const { lowStatus, ofLab, order, read, work } = harness;
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const image = { content: png.toString('base64'), content_type: 'image/png' };

describe('an order at a lab', () => {
  it('arrives once with its details even if responses are lost, and then has a requisition', async () => {
    harness.company.faults.push('unavailable', 'lost_call', 'lost_response');
    const { id } = await order(harness.tests.walkIn, { clinical_notes: 'Fasting', icd_codes: ['E11.9'], priority: true });
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

  it('includes the signature and insurance, which responses show only as ids', async () => {
    const physician = { first_name: 'Meg', last_name: 'Doc', npi: '1234567890', signature_image: image };
    const insurance = { payor_code: 'AARP', insurance_id: 'M-1', responsible_relationship: 'Self', front_image: image };
    const created = await order(harness.tests.walkIn, { physician, health_insurance: insurance });
    expect([created.health_insurance_id, created.physician]).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      { first_name: 'Meg', last_name: 'Doc', npi: '1234567890' },
    ]);
    await work();
    const request = ofLab(created.id)[0]?.request as Record<string, Record<string, unknown>>;
    expect(request['physician']).toMatchObject({ npi: '1234567890', signature: image });
    expect(request['insurance']).toMatchObject({ payor_code: 'AARP', insurance_id: 'M-1', front: image, back: null });
    const stored = await harness.database.current
      .sql`SELECT part, content FROM lab_order_files WHERE order_id = ${created.id} ORDER BY part`;
    expect(stored.map(({ part }) => part)).toEqual(['insurance_front', 'physician_signature']);
    expect(stored.some(({ content }) => (content as Buffer).includes(png.subarray(0, 8)))).toBe(false);
    const wrong = { ...image, content_type: 'image/jpeg' };
    const refused = order(harness.tests.walkIn, { physician: { ...physician, signature_image: wrong } });
    await expect(refused).rejects.toThrow('physician.signature_image is not an image of the type image/jpeg');
  });

  it('has an advance beneficiary notice if the lab sends one', async () => {
    harness.company.abn = Buffer.from('%PDF-1.4 notice').toString('base64');
    const [first, second] = [await order(harness.tests.walkIn), await order(harness.tests.walkIn)];
    await work();
    const notices = await Promise.all(
      [first, second].map(({ id }) =>
        harness.api.api.app.inject({ url: `/v3/order/${id}/abn_pdf`, headers: { 'x-service-api-key': harness.team.key } }),
      ),
    );
    const found = notices.filter(({ statusCode }) => statusCode === 200);
    expect([found.length, found[0]?.rawPayload.toString()]).toEqual([1, '%PDF-1.4 notice']);
    const flags = await Promise.all([first, second].map(async ({ id }) => (await read(id)).has_abn as boolean));
    expect(flags).toContain(true);
    expect(flags).toContain(false);
  });

  it("is cancelled with the lab's reason if the lab rejects it", async () => {
    harness.company.faults.push('refused');
    const { id } = await order(harness.tests.walkIn);
    await work();
    expect((await read(id)).last_event).toMatchObject({ status: 'cancelled.walk_in_test.cancelled', status_detail: 'fulfillment_error' });
  });

  it('is cancelled at the lab as well, even if it arrives there only afterwards', async () => {
    const { id } = await order(harness.tests.walkIn);
    await work();
    await harness.team.call('POST', `/v3/order/${id}/cancel`);
    await work();
    expect(ofLab(id)).toMatchObject([{ isCancelled: true }]);
    harness.company.faults.push('lost_call');
    const late = await order(harness.tests.walkIn);
    await work();
    expect((await harness.team.call('POST', `/v3/order/${late.id}/cancel`)).status).toBe(200);
    await work();
    await fetch(`${harness.company.baseUrl}/orders/${late.id}`, {
      method: 'PUT',
      body: '{}',
      headers: { authorization: `Bearer ${harness.company.token}` },
    });
    await work(600_000);
    expect(ofLab(late.id)).toMatchObject([{ isCancelled: true }]);
  });

  it('is not sent while its user is deleted, until the deletion is undone', async () => {
    const { id, user_id: userId } = await order(harness.tests.walkIn);
    await harness.team.call('DELETE', `/v2/user/${userId}`);
    await work(60_000);
    expect(ofLab(id)).toEqual([]);
    await harness.team.call('POST', `/v2/user/undo_delete?user_id=${userId}`);
    await work(2 * 3_600_000);
    expect(ofLab(id)).toHaveLength(1);
  });
});
