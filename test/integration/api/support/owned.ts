import { randomUUID } from 'node:crypto';
import { withEvents } from '@pulsewire/eventlog';
import type { Database } from '@pulsewire/database';
import { updateTeam } from '@pulsewire/connections';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { recipe } from '../../bulk/harness.ts';
import { linkThroughApi, type ApiHarness, type Caller } from './harness.ts';
import { makeAppointment } from './owned-appointments.ts';
import { needs, order } from './order-stages.ts';
import { messageId } from './webhook-facts.ts';
import { demographics, insurance, multipartType, upload, type Ids, type Operation } from './every-operation.ts';

/** Objects that only requests of some paths concern. Most tests make them again for every operation, so the others are not made. */
const concerned = (path: string) => {
  const isOf = (pattern: RegExp) => path === '' || pattern.test(path);
  const isOfLabs = /^\/v3\/|\/lab_report\/|\/(?:info|insurance)\b/.test(path);
  return {
    data: !isOfLabs,
    webhooks: isOf(/\/(?:webhook|message)/),
    bulk: isOf(/\/bulk/),
    keys: isOf(/\/api_key/),
    orders: isOf(/^\/v3\//),
    reports: isOf(/\/lab_report\//),
    demographics: isOf(/^\/v3\/|\/(?:info|insurance)\b/),
  };
};

/** Connects the user to a provider, and stores a profile, a night and a workout with a device. */
async function makeData(database: Database, harness: ApiHarness, owner: Caller, user: { readonly id: string; readonly reference: string }) {
  const { id: userId, reference } = user;
  await linkThroughApi(harness, owner, userId);
  await owner.call('POST', '/v2/link/provider/manual/manual', { user_id: userId, provider_id: 'entries' });
  const profile = {
    kind: 'summary',
    id: randomUUID(),
    resource: 'profile',
    source: { provider: 'fitbit', type: 'app' },
    calendarDate: null,
    at: 0,
    data: { date: '2026-01-01', height: 170 },
    raw: { externalId: 'profile', data: { height: 170 } },
  } as const;
  const bedtime = { bedtime_start: '2026-01-01T00:00:00+00:00', bedtime_stop: '2026-01-01T06:00:00+00:00' };
  const sleep = { ...profile, id: randomUUID(), resource: 'sleep', calendarDate: '2026-01-01', data: bedtime } as const;
  const device = {
    id: randomUUID(),
    sourceType: 'watch',
    manufacturer: null,
    model: null,
    version: null,
    externalId: 'W1',
    raw: { id: 'W1' },
  };
  const watch = { provider: 'fitbit', type: 'watch', deviceId: device.id, device };
  const workout = { ...profile, id: randomUUID(), resource: 'workouts', source: watch, calendarDate: '2026-01-01', data: {} } as const;
  const version = await drawVersion(database);
  const batch = {
    owner: { teamId: owner.team.teamId, userId, clientUserId: reference },
    version,
    origin: 'live',
    records: [profile, sleep, workout],
    sourceId: 1,
    traceId: null,
    rawCipher: harness.labs.cipher,
  } as const;
  await updateTeam(database, owner.team.teamId, { providerRawData: true });
  await withEvents(database, (tx, emit) => writeRecords(tx, emit, batch));
  return { workout_id: workout.id, sleep_id: sleep.id, device_id: device.id };
}

async function makeWebhook(database: Database, owner: Caller, userId: string) {
  const { id } = (await owner.call('POST', '/v2/team/webhook', { url: `https://receiver.test/${userId}` })).body;
  const replay = await owner.call('POST', `/v2/team/webhook/${id}/replay`, { since: '2025-01-01T00:00:00Z', selection: 'failed' });
  const [event] = await database.sql<{ event_id: string }[]>`SELECT event_id FROM log_events WHERE user_id = ${userId} LIMIT 1`;
  return { webhook_id: id, replay_id: replay.body.id, message_id: messageId({ eventId: event?.event_id ?? '' }) };
}

async function makeOrder(owner: Caller, userId: string, path: string) {
  const labTest = { marker_ids: [261001], name: 'Test', method: 'walk_in_test', description: 'x' };
  const { id: labTestId } = (await owner.call('POST', '/v3/lab_tests', labTest)).body;
  const placed = { ...order({ user_id: userId, lab_test_id: labTestId }), activate_by: '2099-01-01' };
  const { order: made } = (await owner.call('POST', '/v3/order', placed)).body;
  return {
    lab_test_id: labTestId,
    order_id: made.id,
    transaction_id: made.order_transaction.id,
    ...(await makeAppointment(owner, path, (testId) => order({ user_id: userId, lab_test_id: testId }))),
  };
}

/** Ids of objects that do not exist. */
const unmade = () => ({
  workout_id: randomUUID(),
  sleep_id: randomUUID(),
  device_id: randomUUID(),
  webhook_id: randomUUID(),
  replay_id: randomUUID(),
  message_id: messageId({ eventId: randomUUID() }),
  operation_id: randomUUID(),
  key_id: randomUUID(),
  job_id: randomUUID(),
  lab_test_id: randomUUID(),
  order_id: randomUUID(),
  transaction_id: randomUUID(),
  kit_test_id: randomUUID(),
  kit_sample_id: randomUUID(),
  raw_result_id: randomUUID(),
});

/**
 * Creates for the owner a user and a link token, and the objects that requests of this operation concern: by default a connection with data,
 * an endpoint, an order and all others. The database has the data of labs.
 */
export async function makeOwned(
  database: Database,
  harness: ApiHarness,
  owner: Caller,
  { path, operationId }: Pick<Operation, 'path' | 'operationId'> = { path: '', operationId: '' },
): Promise<Ids> {
  const reference = `owned-${randomUUID()}`;
  const { user_id: userId } = (await owner.call('POST', '/v2/user', { client_user_id: reference })).body;
  const { link_token: linkToken } = (await owner.call('POST', '/v2/link/token', { user_id: userId })).body;
  const isMade = concerned(path);
  const ids: Record<string, string> = { ...unmade(), user_id: userId, client_user_id: reference, linkToken };
  if (isMade.data) Object.assign(ids, await makeData(database, harness, owner, { id: userId, reference }));
  if (isMade.webhooks) Object.assign(ids, await makeWebhook(database, owner, userId));
  if (isMade.bulk) {
    const bulk = await owner.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: [recipe(userId)] });
    ids['operation_id'] = String(bulk.headers['x-bulk-operation-id']);
  }
  if (isMade.orders) Object.assign(ids, await makeOrder(owner, userId, path));
  if (isMade.demographics) {
    await owner.call('PATCH', `/v2/user/${userId}/info`, demographics);
    await owner.call('POST', `/v2/user/${userId}/insurance`, insurance);
  }
  if (isMade.reports) {
    const headers = { 'content-type': multipartType };
    ids['job_id'] = (await owner.call('POST', '/lab_report/v1/parser/job', upload(userId), headers)).body.id;
  }
  if (isMade.keys) ids['key_id'] = (await owner.call('POST', '/v2/team/api_key', { label: 'owned' })).body.id;
  const made = ids as unknown as Ids;
  return { ...made, ...(await needs[operationId]?.(owner, made, harness.labs)) };
}
