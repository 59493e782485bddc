import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { eraseLabsOfUser } from '@pulsewire/labs';
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

interface Result {
  readonly name: string;
  readonly type: string;
  readonly result: string;
  readonly value: number;
  readonly interpretation: string;
  readonly loinc: string;
  readonly [key: string]: unknown;
}

const read = (path: string) => team.call('GET', path);
const eventsOf = async (userId: string) =>
  (
    await database.current.sql<{ type: string; json: string }[]>`
      SELECT event_type AS type, json FROM log_events WHERE user_id = ${userId} AND event_type LIKE 'labtest.%' ORDER BY "offset"`
  ).map(({ type, json }) => ({ type, data: JSON.parse(json) }));

async function simulated(method: string, body: object = {}, finalStatus = '') {
  const order = await placeOrder(team, method);
  harness.clock.advance(1000);
  const query = finalStatus === '' ? '' : `?final_status=${finalStatus}`;
  const reply = await team.call('POST', `/v3/order/${order.id}/test${query}`, body);
  if (reply.status !== 200) throw new Error(reply.text);
  return order;
}
const resultsOf = async (orderId: string) => {
  const { status, body } = await read(`/v3/order/${orderId}/result`);
  expect(status).toBe(200);
  return body as { metadata: Record<string, string>; results: Result[]; missing_results: Record<string, unknown>[] | null };
};

describe('the results of an order', () => {
  it('contain every expected result of its markers with LOINC code, range and sample', async () => {
    const order = await placeOrder(team, 'at_home_phlebotomy');
    const path = `/v3/order/${order.id}/result`;
    for (const suffix of ['', '/metadata']) expect((await read(path + suffix)).status).toBe(404);
    expect((await read(`/v3/order_transaction/${order.order_transaction.id}/result`)).status).toBe(404);
    await team.call('POST', `/v3/order/${order.id}/test`, { result_types: ['numeric'] });
    const body = await resultsOf(order.id);
    const { markers } = (await read(`/v3/lab_tests/${order.lab_test.id}/markers`)).body;
    const [panel] = markers;
    expect(body.results.map(({ name, loinc }) => [name, loinc])).toEqual(
      panel.expected_results.map((result: { name: string; loinc: { code: string } }) => [result.name, result.loinc.code]),
    );
    for (const result of body.results) {
      expect(result).toMatchObject({
        type: 'numeric',
        interpretation: 'normal',
        is_above_max_range: expect.toSatisfy((is) => is !== true),
      });
      expect(result.value).toBe(Number(result.result));
      expect(result['source_markers']).toEqual([
        { marker_id: panel.id, name: panel.name, slug: panel.slug, provider_id: panel.provider_id },
      ]);
    }
    const { sample_id: sampleId } = (await read(`/v3/order/${order.id}`)).body;
    expect(body.metadata).toMatchObject({
      patient: "Ann O'Hara",
      dob: '1990-02-01',
      laboratory: 'Quest',
      specimen_number: sampleId,
      status: 'final',
      interpretation: 'normal',
    });
    expect(body).toMatchObject({
      missing_results: null,
      sample_information: { [sampleId]: { clinical_information: { fasting: true }, date_received: { timezone_offset: -25_200 } } },
      order_transaction: { id: order.order_transaction.id, status: 'completed' },
    });
    expect((await read(`${path}/metadata`)).body).toEqual(body.metadata);
    expect((await resultsOf(order.id)).results).toEqual(body.results);
  });

  it('have all types in rotation, or the requested types', async () => {
    const types = async (body: object) => (await resultsOf((await simulated('walk_in_test', body)).id)).results.map(({ type }) => type);
    expect((await types({})).slice(0, 5)).toEqual(['numeric', 'range', 'comment', 'coded_value', 'numeric']);
    expect(new Set(await types({ result_types: ['range', 'comment'] }))).toEqual(new Set(['range', 'comment']));
    const ranges = (await resultsOf((await simulated('walk_in_test', { result_types: ['range'] })).id)).results;
    for (const { result, value } of ranges)
      expect([result, value]).toEqual([expect.stringMatching(/^([<>]=?\d*(\.\d+)?|(\d*(\.\d+)?-\d*(\.\d+)?))$/), -1]);
  });

  it.each(['normal', 'abnormal', 'critical', 'unknown'])(
    'are all %s when requested, each interpreted by its range',
    async (interpretation) => {
      const order = await simulated('walk_in_test', { interpretation, result_types: ['numeric'] });
      const { metadata, results } = await resultsOf(order.id);
      expect(metadata['interpretation']).toBe(interpretation);
      expect(results[0]?.interpretation).toBe(interpretation);
      expect((await read(`/v3/order/${order.id}`)).body.interpretation).toBe(interpretation);
      const isOutside = results.map((result) => result['is_above_max_range'] === true || result['is_below_min_range'] === true);
      expect(isOutside).toEqual(results.map(({ interpretation: word }) => word === 'abnormal' || word === 'critical'));
    },
  );

  it('list which results are missing', async () => {
    const order = await simulated('walk_in_test', { has_missing_results: true });
    const all = await resultsOf((await simulated('walk_in_test')).id);
    const { results, missing_results: missing } = await resultsOf(order.id);
    expect(results).toHaveLength(all.results.length - 1);
    expect(missing).toEqual([
      expect.objectContaining({
        name: all.results.at(-1)?.name,
        loinc: all.results.at(-1)?.loinc,
        inferred_failure_type: 'quantity_not_sufficient_failure',
        source_markers: [expect.objectContaining({ slug: expect.any(String) })],
      }),
    ]);
    expect((await read(`/v3/order/${order.id}`)).body.has_missing_results).toBe(true);
  });

  it('can be read while partial, and are later completed and corrected', async () => {
    const order = await simulated('on_site_collection', {}, 'sample_with_lab.on_site_collection.partial_results');
    const partial = await resultsOf(order.id);
    expect(partial.metadata['status']).toBe('partial');
    await team.call('POST', `/v3/order/${order.id}/test`, {});
    const final = await resultsOf(order.id);
    expect(final.metadata['status']).toBe('final');
    expect(final.results.length).toBeGreaterThan(partial.results.length);
    expect(final.results.slice(0, partial.results.length).map(({ result }) => result)).toEqual(partial.results.map(({ result }) => result));
    await team.call('POST', `/v3/order/${order.id}/test?final_status=completed.on_site_collection.corrected`, {});
    expect((await resultsOf(order.id)).results).not.toEqual(final.results);
    const [row] = await database.current.sql`SELECT version FROM lab_results WHERE order_id = ${order.id}`;
    expect(row?.['version']).toBe(3);
  });

  it('are visible only to the team, stored encrypted, and erased with the user', async () => {
    const order = await simulated('walk_in_test');
    const other = await harness.newCaller({ isSandbox: true });
    for (const path of [
      `order/${order.id}/result`,
      `order/${order.id}/result/metadata`,
      `order_transaction/${order.order_transaction.id}/result`,
    ])
      expect([path, (await other.call('GET', `/v3/${path}`)).status]).toEqual([path, 404]);
    const [row] = await database.current.sql`SELECT details FROM lab_results WHERE order_id = ${order.id}`;
    expect(String(row?.['details'])).not.toMatch(/Glucose|Hara/);
    await database.current.transaction((tx) =>
      eraseLabsOfUser(tx, { teamId: team.team.teamId, userId: order.user_id }, harness.clock.now()),
    );
    expect((await read(`/v3/order/${order.id}/result`)).status).toBe(404);
    expect(await database.current.sql`SELECT 1 FROM lab_results WHERE order_id = ${order.id}`).toHaveLength(0);
    expect((await read(`/v3/order/${randomUUID()}/result`)).status).toBe(404);
    expect((await read('/v3/order/nothing/result')).status).toBe(422);
  });
});

describe('result events', () => {
  it('announce critical results with the status of the report', async () => {
    const order = await simulated('walk_in_test', { interpretation: 'critical' });
    const events = await eventsOf(order.user_id);
    expect(events.map(({ type }) => type)).toEqual([
      'labtest.order.created',
      'labtest.order.updated',
      'labtest.result.critical',
      'labtest.order.updated',
      'labtest.order_tracking.updated',
    ]);
    const { sample_id: sampleId, team_id: teamId } = events[3]?.data ?? {};
    expect(events[2]?.data).toEqual({
      order_id: order.id,
      sample_id: sampleId,
      status: 'final',
      interpretation: 'critical',
      team_id: teamId,
      user_id: order.user_id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(events[3]?.data).toMatchObject({ status: 'completed', interpretation: 'critical' });
    expect((await eventsOf((await simulated('walk_in_test')).user_id)).map(({ type }) => type)).not.toContain('labtest.result.critical');
  });

  it('announce partial results only to teams that enabled them', async () => {
    const announced = async () => {
      const order = await simulated('walk_in_test', {}, 'sample_with_lab.walk_in_test.partial_results');
      const events = await eventsOf(order.user_id);
      return events.map(({ type, data }) => (type.startsWith('labtest.order.') ? data.last_event.status.split('.')[2] : data.status));
    };
    expect(await announced()).toEqual(['ordered', 'requisition_created']);
    await updateTeam(database.current, team.team.teamId, { partialResults: true });
    expect(await announced()).toEqual(['ordered', 'requisition_created', 'partial_results', 'incomplete']);
    await updateTeam(database.current, team.team.teamId, { partialResults: false });
  });
});

describe('a redraw', () => {
  it('replaces an order with lost results once, and completes the transaction', async () => {
    const order = await simulated('walk_in_test', { result_types: ['numeric'] }, 'collecting_sample.walk_in_test.redraw_available');
    const { status, orders } = (await read(`/v3/order_transaction/${order.order_transaction.id}`)).body;
    expect([status, orders.map(({ origin }: { origin: string }) => origin)]).toEqual(['active', ['initial', 'redraw']]);
    const [lost, redraw] = orders as { id: string; parent_id: string; last_status: string }[];
    expect([lost?.last_status, redraw?.last_status, redraw?.parent_id]).toEqual(['redraw_available', 'ordered', order.id]);
    const ofOrders = (await eventsOf(order.user_id)).filter(({ type }) => type.startsWith('labtest.order.'));
    const types = ofOrders.map(({ type, data }) => [type.split('.')[2], data.id === order.id ? 'first' : 'second']);
    expect(types.slice(-2)).toEqual([
      ['updated', 'first'],
      ['created', 'second'],
    ]);
    const combined = async () => (await read(`/v3/order_transaction/${order.order_transaction.id}/result`)).body;
    expect((await combined()).missing_results).toMatchObject([{ inferred_failure_type: 'internal_lab_failure' }]);
    const again = await team.call('POST', `/v3/order/${redraw?.id}/test?final_status=collecting_sample.walk_in_test.redraw_available`, {});
    expect(again.status).toBe(400);
    await team.call('POST', `/v3/order/${redraw?.id}/test`, { result_types: ['numeric'] });
    const whole = await combined();
    expect([whole.missing_results, Object.keys(whole.sample_information)]).toEqual([null, [expect.any(String), expect.any(String)]]);
    expect(whole.order_transaction.status).toBe('completed');
  });
});
