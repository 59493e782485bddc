import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { eraseLabsOfUser, takeReport, type IncomingReport } from '@pulsewire/labs';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { useDatabase } from '../../support/database.ts';
import { patient, placeOrder } from './support/order-body.ts';

const database = useDatabase({ hasLabData: true });
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 1)]]));
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { sandboxUsersMax: 1000 }, overrides: { cipher } });
});
afterAll(() => harness.close());

const labcorp = 27;
const ann = { firstName: 'Ann', lastName: "O'HARA", birthDate: '1990-02-01', gender: 'female' };
const incoming = (sampleId: string, changes: Partial<IncomingReport> = {}, value = '90'): IncomingReport => ({
  labId: labcorp,
  patient: ann,
  isCorrection: false,
  report: {
    status: 'final',
    sampleId,
    results: [
      {
        providerId: '301001',
        name: 'GLUCOSE',
        value,
        unit: 'mg/dL',
        referenceRange: '70-99',
        flag: null,
        note: null,
        at: harness.clock.now(),
      },
    ],
    missing: [],
    collectedAt: null,
    receivedAt: null,
    at: new Date('2026-05-01T10:00:00Z'),
  },
  ...changes,
});
const take = (report: IncomingReport, caller = team) => {
  const { teamId } = caller.team;
  const labTeam = {
    teamId,
    isSandbox: true,
    partialResults: false,
    minorOrdering: false,
    humanReview: false,
    bookingBeforeRequisition: false,
  };
  return takeReport(harness.labs, labTeam, report);
};
const read = async (path: string) => (await team.call('GET', path)).body;
const events = async () =>
  (
    await database.current.sql<{ type: string; user_id: string | null; json: string }[]>`
      SELECT event_type AS type, user_id, json FROM log_events
      WHERE team_id = ${team.team.teamId} AND event_type LIKE 'labtest.match_review.%' ORDER BY event_id`
  ).map(({ type, user_id: userId, json }) => ({ type, userId, data: JSON.parse(json) }));

/** An order of a new team that the lab has accepted; the clock advances so that no two events have the same time. */
async function accepted(changes: object = {}, finalStatus = 'received.walk_in_test.requisition_created') {
  harness.clock.advance(1000);
  const order = await placeOrder(team, 'walk_in_test', changes);
  await team.call('POST', `/v3/order/${order.id}/test?final_status=${finalStatus}`, {});
  return read(`/v3/order/${order.id}`);
}
async function cancelled() {
  const order = await accepted();
  await team.call('POST', `/v3/order/${order.id}/cancel`);
  return order;
}
async function inReview(report: IncomingReport) {
  const taken = await take(report);
  if (taken.kind !== 'review') throw new Error(taken.kind);
  return read(`/v3/unmatched_result/${taken.resultId}`);
}
const newTeam = async () => void (team = await harness.newCaller({ isSandbox: true }));

describe('a lab report', () => {
  beforeAll(newTeam);

  it('is stored once as the results of its sample’s order, and replaced by a correction', async () => {
    const order = await accepted();
    expect(await take(incoming(order.sample_id))).toEqual({ kind: 'matched', orderId: order.id });
    const results = await read(`/v3/order/${order.id}/result`);
    expect(results.results).toMatchObject([{ name: 'Glucose', loinc: '2345-7', value: 90, interpretation: 'normal' }]);
    expect(results.missing_results.length).toBeGreaterThan(5);
    expect((await read(`/v3/order/${order.id}`)).last_event.status).toBe('completed.walk_in_test.completed');
    expect(await take(incoming(order.sample_id))).toEqual({ kind: 'repeated' });
    expect(await take(incoming(order.sample_id, { isCorrection: true }, '120'))).toEqual({ kind: 'matched', orderId: order.id });
    expect((await read(`/v3/order/${order.id}`)).last_event.status).toBe('completed.walk_in_test.corrected');
    expect((await read(`/v3/order/${order.id}/result`)).results).toMatchObject([{ value: 120, interpretation: 'abnormal' }]);
    expect(await events()).toEqual([]);
  });

  it('is accepted once even if it arrives many times concurrently', async () => {
    const order = await accepted();
    const taken = await Promise.all(Array.from({ length: 6 }, () => take(incoming(order.sample_id))));
    expect(taken.map(({ kind }) => kind).toSorted()).toEqual(['matched', ...Array.from({ length: 5 }, () => 'repeated')]);
  });
});

describe('a report in review', () => {
  beforeAll(newTeam);

  it('is stale once it has waited for more than seven days, and no longer when it is resolved', async () => {
    const review = await inReview(incoming('SAMPLE-STALE'));
    const isStale = async () => {
      const path = '/v3/unmatched_result';
      return [(await read(`${path}/${review.id}`)).is_stale, (await read(path)).data.map((one: { is_stale: boolean }) => one.is_stale)];
    };
    expect(await isStale()).toEqual([false, [false]]);
    harness.clock.advance(7 * 86_400_000 + 1);
    expect(await isStale()).toEqual([true, [true]]);
    await team.call('POST', `/v3/unmatched_result/${review.id}/resolve`, { action: 'reject' });
    expect(await isStale()).toEqual([false, [false]]);
  });
});

describe('a report that does not match one order with certainty', () => {
  beforeAll(newTeam);

  it.each([
    ['match_cancelled', () => cancelled(), {}],
    ['match_completed', () => accepted({}, 'completed.walk_in_test.completed'), {}],
    ['match_sample_id_mismatch_demo', () => accepted(), { patient: { ...ann, birthDate: '1991-02-01' } }],
  ] as const)('waits for review: %s', async (code, place, changes) => {
    const order = await place();
    const review = await inReview(incoming(order.sample_id, changes));
    expect(review).toMatchObject({
      decision_code: code,
      status: 'pending_customer_review',
      allowed_actions: ['accept', 'reject', 'unsure'],
    });
    const candidates = review.candidate_groups.flatMap((group: { candidates: object[] }) => group.candidates);
    expect(candidates).toContainEqual(expect.objectContaining({ order_id: order.id, candidate_type: 'provenance_order' }));
    expect(review.markers).toEqual([{ provider_id: '301001', name: 'GLUCOSE' }]);
  });

  it('waits for review if only the patient, several orders, another lab’s order or none match', async () => {
    await newTeam();
    const sample = () => `X-${randomUUID()}`;
    expect((await inReview(incoming(sample()))).decision_code).toBe('no_match');
    const order = await accepted();
    const one = await inReview(incoming(sample()));
    expect([one.decision_code, one.candidate_groups[0].user_id]).toEqual(['match_demo', order.user_id]);
    expect((await inReview(incoming(sample(), { labId: 26 }))).decision_code).toBe('wrong_lab');
    await accepted();
    expect((await inReview(incoming(sample()))).decision_code).toBe('multiple_demo_match');
    const eve = { ...patient, first_name: 'Eve' };
    await accepted({ patient_details: eve });
    expect((await inReview(incoming(sample(), { patient: { ...ann, firstName: 'Eve' } }))).decision_code).toBe('match_demo');
  });

  it('is announced without a user, listed in pages by every filter, and stored once', async () => {
    await newTeam();
    const order = await accepted();
    const report = incoming(`X-${randomUUID()}`);
    const first = await inReview(report);
    expect(await take(report)).toEqual({ kind: 'repeated' });
    harness.clock.advance(1000);
    const second = await inReview(incoming(`X-${randomUUID()}`, { patient: null, labId: 26 }));
    const [event] = await events();
    const nothing = { resolution_action: null, resolved_user_id: null, resolved_order_id: null };
    const data = { id: first.id, status: 'pending_customer_review', decision_code: 'match_demo', sub_reason_codes: [], ...nothing };
    expect(event).toEqual({ type: 'labtest.match_review.created', userId: null, data });
    const list = async (query: string) => (await read(`/v3/unmatched_result?${query}`)).data.map(({ id }: { id: string }) => id);
    const today = harness.clock.now().toISOString().slice(0, 10);
    expect(await list('')).toEqual([first.id, second.id]);
    for (const query of ['decision_code=match_demo', 'lab_slug=labcorp', 'search_input=ann', `search_input=${first.id}`])
      expect([query, await list(query)]).toEqual([query, [first.id]]);
    expect(await list(`created_at_start=${today}&created_at_end=${today}`)).toHaveLength(2);
    expect(await list('created_at_start=2099-01-01')).toEqual([]);
    expect(await list('status=resolved')).toEqual([]);
    const page = await read('/v3/unmatched_result?limit=1');
    expect([page.total, page.data[0].id]).toEqual([2, first.id]);
    const rest = await read(`/v3/unmatched_result?limit=1&next_cursor=${page.next_cursor}`);
    expect([rest.data[0].id, rest.next_cursor]).toEqual([second.id, null]);
    expect((await team.call('GET', '/v3/unmatched_result?next_cursor=x&limit=0&status=lost')).status).toBe(422);
    const [row] = await database.current.sql`SELECT details FROM lab_unmatched_results WHERE result_id = ${first.id}`;
    expect(String(row?.['details'])).not.toMatch(/GLUCOSE|Ann/);
    await database.current.transaction((tx) =>
      eraseLabsOfUser(tx, { teamId: team.team.teamId, userId: order.user_id }, harness.clock.now()),
    );
    expect(await list('')).toEqual([second.id]);
  });
});

describe('a review', () => {
  beforeAll(newTeam);
  const accept = (id: string, body: object, caller = team) => caller.call('POST', `/v3/unmatched_result/${id}/accept`, body);
  const resolve = (id: string, body: object, caller = team) => caller.call('POST', `/v3/unmatched_result/${id}/resolve`, body);

  it('assigns the result to the chosen order, and emits its events', async () => {
    const order = await accepted();
    const review = await inReview(incoming(`X-${randomUUID()}`));
    const fits = { user_id: order.user_id, order_id: order.id };
    const stopped = await cancelled();
    for (const wrong of [
      { ...fits, user_id: stopped.user_id },
      { user_id: stopped.user_id, order_id: stopped.id },
    ])
      expect((await accept(review.id, wrong)).status).toBe(422);
    expect((await accept(review.id, { ...fits, order_id: randomUUID() })).status).toBe(404);
    const { status, body } = await accept(review.id, { ...fits, note: 'Same person' });
    expect([status, body.id, body.last_event.status]).toEqual([200, order.id, 'completed.walk_in_test.completed']);
    expect((await read(`/v3/order/${order.id}/result`)).results).toMatchObject([{ value: 90 }]);
    expect(await read(`/v3/unmatched_result/${review.id}`)).toMatchObject({
      status: 'resolved',
      resolution_action: 'accept',
      resolved_order_id: order.id,
      note: 'Same person',
      allowed_actions: [],
      reviewed_at: expect.any(String),
    });
    expect((await events()).at(-1)).toMatchObject({ type: 'labtest.match_review.updated', userId: null, data: { status: 'resolved' } });
    expect((await accept(review.id, fits)).status).toBe(404);
    expect((await resolve(review.id, { action: 'reject' })).status).toBe(404);
  });

  it('can be left to the operator or rejected, only by its team', async () => {
    const review = await inReview(incoming(`X-${randomUUID()}`, { patient: null }));
    const other = await harness.newCaller({ isSandbox: true });
    expect((await other.call('GET', `/v3/unmatched_result/${review.id}`)).status).toBe(404);
    expect((await resolve(review.id, { action: 'reject' }, other)).status).toBe(404);
    expect((await resolve(review.id, { action: 'accept' })).status).toBe(422);
    expect((await resolve(review.id, { action: 'unsure' })).body).toMatchObject({
      status: 'pending_ops_review',
      resolution_action: 'unsure',
    });
    expect((await resolve(review.id, { action: 'reject', note: 'Not ours' })).body).toMatchObject({ status: 'resolved', note: 'Not ours' });
    expect((await resolve(randomUUID(), { action: 'reject' })).status).toBe(404);
  });
});
