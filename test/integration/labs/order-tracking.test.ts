import { expect, test } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { at, state, useFulfilment } from './support/fulfilment.ts';

const harness = useFulfilment();

interface Tracking {
  readonly status: string;
  readonly collected_on: string | null;
  readonly expected_result_by_date: string | null;
  readonly markers: readonly { readonly status: string; readonly expected_results: number; readonly resulted: number }[];
}

const track = async (id: string) => (await harness.team.call('GET', `/v3/order/${id}/tracking`)).body as Tracking;
const stageOf = async (id: string) => {
  const { status, markers } = await track(id);
  return [status, ...markers.map((marker) => marker.status)];
};

async function eventsOf(id: string): Promise<readonly Tracking[]> {
  const rows = await harness.database.current.sql<{ json: string }[]>`
    SELECT json FROM log_events WHERE event_type = 'labtest.order_tracking.updated' AND json LIKE ${`%"order_id":"${id}"%`} ORDER BY event_id`;
  return rows.map(({ json }) => JSON.parse(json) as Tracking);
}

async function placed(markerIds: readonly number[] = [261001]) {
  const body = { marker_ids: markerIds, name: 'Tracked', method: 'walk_in_test', description: 'x' };
  const { id: testId } = (await harness.team.call('POST', '/v3/lab_tests', body)).body;
  const { id } = await harness.order(testId);
  await harness.work();
  return { id: id as string, sampleId: harness.ofLab(id)[0]?.sampleId as string };
}

/** The codes of the results that a marker of the lab consists of. */
async function codesOf(markerId: number): Promise<readonly string[]> {
  const rows = await harness.database.current.sql<{ code: string }[]>`
    SELECT m.provider_id AS code FROM lab_marker_results r JOIN lab_markers m ON m.marker_id = r.result_id
    WHERE r.marker_id = ${markerId} AND r.is_required ORDER BY r.position`;
  return rows.map(({ code }) => code);
}

const send = (notices: readonly object[]) => harness.send('lab-quest', harness.company.labWebhook(notices));
const report = (
  order: { id: string; sampleId: string },
  seconds: number,
  status: string,
  codes: readonly string[],
  missing: object[] = [],
) => ({
  kind: 'results',
  order_id: order.id,
  sample_id: order.sampleId,
  at: at(seconds).toISOString(),
  report: {
    status,
    collected_at: at(0).toISOString(),
    patient: null,
    results: codes.map((code) => ({ code, value: '5', unit: 'x' })),
    missing,
  },
});

test('an order is followed from its sample to its last result, with an event for each step', async () => {
  await updateTeam(harness.database.current, harness.team.team.teamId, { partialResults: true });
  const panel = await panelOf(3);
  const order = await placed([panel]);
  expect(await stageOf(order.id)).toEqual(['expected', 'pending']);
  expect(await track(order.id)).toMatchObject({ collected_on: null, expected_result_by_date: null });
  await send([state(order.id, 'collected', 10)]);
  expect(await stageOf(order.id)).toEqual(['collected', 'pending']);
  expect((await track(order.id)).collected_on).toBe('2026-05-04');
  const [first = '', ...rest] = await codesOf(panel);
  await send([report(order, 20, 'partial', [first])]);
  expect((await track(order.id)).markers).toMatchObject([{ status: 'incomplete', expected_results: rest.length + 1, resulted: 1 }]);
  await send([report(order, 30, 'final', [first, ...rest])]);
  expect(await stageOf(order.id)).toEqual(['resulted', 'resulted']);
  const events = await eventsOf(order.id);
  expect(events.map(({ status }) => status)).toEqual(['collected', 'incomplete', 'resulted']);
  expect(events.at(-1)).toEqual(await track(order.id));
});

test('a marker that the laboratory could not measure stays incomplete, beside one that is complete', async () => {
  const panel = await panelOf(2);
  const order = await placed([261001, panel]);
  const [known = '', ...others] = await codesOf(panel);
  const single = await codesOf(261001);
  await send([
    report(
      order,
      20,
      'final',
      [...single, known],
      others.map((code) => ({ code, reason: 'quantity_not_sufficient_failure' })),
    ),
  ]);
  const tracked = await track(order.id);
  expect([tracked.status, ...tracked.markers.map((marker) => marker.status)]).toEqual(['incomplete', 'resulted', 'incomplete']);
});

test('a cancelled order without results expects nothing any more', async () => {
  const order = await placed();
  await harness.team.call('POST', `/v3/order/${order.id}/cancel`);
  expect(await stageOf(order.id)).toEqual(['ended', 'pending']);
});

test('the tracking of an order is found by its own team only', async () => {
  const order = await placed();
  const stranger = await harness.api.newCaller();
  expect((await stranger.call('GET', `/v3/order/${order.id}/tracking`)).status).toBe(404);
});

/** A marker of Quest for walk-in tests that consists of at least so many results. */
async function panelOf(results: number): Promise<number> {
  const [panel] = await harness.database.current.sql<{ id: number }[]>`
    SELECT m.marker_id AS id FROM lab_markers m
    WHERE m.lab_id = (SELECT lab_id FROM lab_markers WHERE marker_id = 261001) AND m.marker_id <> 261001
      AND (SELECT count(*) FROM lab_marker_results r WHERE r.marker_id = m.marker_id AND r.is_required) >= ${results}
    ORDER BY m.marker_id LIMIT 1`;
  if (panel === undefined) throw new Error('The catalogue has no such panel');
  return panel.id;
}
