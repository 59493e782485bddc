import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { defaultLimits, extractPages, parseIsolated } from '@pulsewire/report-parser';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { useDatabase } from '../../support/database.ts';
import { placeOrder } from './support/order-body.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 1)]]));
  harness = await createApiHarness(database.current, { config: { sandboxUsersMax: 1000 }, overrides: { cipher } });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

async function download(url: string, caller = team) {
  const reply = await harness.api.app.inject({ url, headers: { 'x-service-api-key': caller.key } });
  return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload };
}

/** The pages of a PDF as text. */
async function textOf(url: string): Promise<readonly string[]> {
  const { status, headers, bytes } = await download(url);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'application/pdf', 'no-store']);
  const pages = await extractPages([bytes], defaultLimits);
  return pages.map(({ words }) => words.map(({ text }) => text).join(' '));
}

const simulate = (orderId: string, query = '', body: object = {}) => team.call('POST', `/v3/order/${orderId}/test${query}`, body);

describe('the results document', () => {
  it('contains the values of the JSON, as our report parser reads them', async () => {
    const order = await placeOrder(team, 'walk_in_test');
    const url = `/v3/order/${order.id}/result/pdf`;
    expect((await download(url)).status).toBe(404);
    await simulate(order.id, '', { interpretation: 'abnormal', result_types: ['numeric'] });
    const { results, metadata } = (await team.call('GET', `/v3/order/${order.id}/result`)).body;
    const parsed = await parseIsolated([(await download(url)).bytes]);
    if (parsed.kind !== 'read') throw new Error(JSON.stringify(parsed));
    const values = (rows: readonly { testName: string; value: string }[]) => rows.map((row) => `${row.testName}: ${row.value}`).toSorted();
    const expected = results.map(({ name, result }: { name: string; result: string }) => ({ testName: name, value: result }));
    expect(values(parsed.report.results)).toEqual(values(expected));
    expect(parsed.report.metadata).toEqual({
      patientFirstName: 'Ann',
      patientLastName: "O'Hara",
      dob: metadata.dob,
      gender: 'female',
      labName: metadata.laboratory,
      dateReported: metadata.date_reported,
      dateCollected: metadata.date_collected,
      specimenNumber: metadata.specimen_number,
    });
    const [page] = await textOf(url);
    expect(page).toContain(`Patient: ${metadata.patient}`);
    expect(page).toContain('SIMULATED. Not for medical use.');
    expect((await download(url)).bytes.equals((await download(url)).bytes)).toBe(true);
    const whole = await textOf(`/v3/order_transaction/${order.order_transaction.id}/result/pdf`);
    expect(whole[0]).toContain(metadata.specimen_number);
  });

  it('marks partial and missing results', async () => {
    const order = await placeOrder(team, 'on_site_collection');
    const body = { has_missing_results: true };
    await simulate(order.id, '?final_status=sample_with_lab.on_site_collection.partial_results', body);
    const text = (await textOf(`/v3/order/${order.id}/result/pdf`)).join(' ');
    expect(text).toContain('Laboratory report (partial)');
    expect(text).toContain('Not reported');
  });
});

describe('the requisition and labels of an order', () => {
  it('exist once the lab has accepted the order, and contain what the lab needs', async () => {
    const notes = 'Fasting since 8 pm.\nSecond line with Łukasz, 東京';
    const order = await placeOrder(team, 'walk_in_test', { clinical_notes: notes, icd_codes: ['E11.9'], priority: true });
    const [requisition, labels] = [`/v3/order/${order.id}/requisition/pdf`, `/v3/order/${order.id}/labels/pdf?collection_date=2026-02-03`];
    for (const url of [requisition, labels]) expect((await download(url)).status).toBe(404);
    await simulate(order.id, '?final_status=received.walk_in_test.requisition_created');
    const text = (await textOf(requisition)).join(' ');
    const { sample_id: sampleId } = (await team.call('GET', `/v3/order/${order.id}`)).body;
    for (const part of ["Name: Ann O'Hara", 'DOB: 1990-02-01', 'Priority: STAT', 'E11.9', 'Comprehensive metabolic panel', sampleId])
      expect(text).toContain(part);
    expect(text).toContain('Second line with ?ukasz, ??');
    const pages = await textOf(`${labels}&number_of_labels=5`);
    expect(pages).toHaveLength(5);
    expect(await textOf(labels)).toHaveLength(3);
    expect(pages[4]).toContain('Collected: 2026-02-03');
    expect(pages[4]).toContain(sampleId);
    for (const query of ['', '?collection_date=soon', '?collection_date=2026-02-03&number_of_labels=0'])
      expect((await download(`/v3/order/${order.id}/labels/pdf${query}`)).status).toBe(422);
  });

  it('continue on further pages if necessary', async () => {
    const clinicalNotes = Array.from({ length: 90 }, (_, i) => `Line ${i}`).join('\n');
    const order = await placeOrder(team, 'walk_in_test', { clinical_notes: clinicalNotes });
    await simulate(order.id, '?final_status=received.walk_in_test.requisition_created');
    const pages = await textOf(`/v3/order/${order.id}/requisition/pdf`);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`);
    expect(pages.join(' ')).toContain('Line 89');
  });
});

describe('collection instructions', () => {
  it('match the collection method, for a test and for an order', async () => {
    const order = await placeOrder(team, 'testkit');
    for (const url of [`/v3/order/${order.id}/collection_instruction_pdf`, `/v3/lab_test/${order.lab_test.id}/collection_instruction_pdf`])
      expect((await textOf(url)).join(' ')).toContain('before you open the kit');
  });
});

it('documents are available only to the team of the order', async () => {
  const order = await placeOrder(team, 'walk_in_test');
  await simulate(order.id);
  const other = await harness.newCaller({ isSandbox: true });
  const paths = ['result/pdf', 'requisition/pdf', 'labels/pdf?collection_date=2026-02-03', 'collection_instruction_pdf'];
  for (const [caller, id] of [[other, order.id] as const, [team, randomUUID()] as const])
    for (const path of paths) expect((await download(`/v3/order/${id}/${path}`, caller)).status).toBe(404);
  expect((await download(`/v3/lab_test/${order.lab_test.id}/collection_instruction_pdf`, other)).status).toBe(404);
});
