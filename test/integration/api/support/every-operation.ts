import { randomUUID } from 'node:crypto';
import { describeApi } from '@pulsewire/service-api';
import { recipe } from '../../bulk/harness.ts';
import type { Caller, Reply } from './harness.ts';
import { appointmentBodies, orderPrefix, type AppointmentIds } from './owned-appointments.ts';
import { imported, order, registration, shipping } from './order-stages.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
}

/** Every id of a team's objects that a request can contain. */
export interface Ids extends Partial<AppointmentIds> {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly workout_id: string;
  readonly sleep_id: string;
  readonly device_id: string;
  readonly webhook_id: string;
  readonly message_id: string;
  readonly replay_id: string;
  readonly operation_id: string;
  readonly key_id: string;
  readonly job_id: string;
  readonly lab_test_id: string;
  readonly order_id: string;
  readonly transaction_id: string;
  readonly kit_test_id: string;
  readonly kit_sample_id: string;
  readonly raw_result_id: string;
  readonly linkToken: string;
}

type Parameter = Operation['parameters'][number];

const document = (await describeApi()) as {
  paths: Record<
    string,
    Record<string, Omit<Operation, 'path' | 'method' | 'parameters'> & { parameters?: (Parameter | { $ref: string })[] }>
  >;
  components: { parameters: Record<string, Parameter> };
};

/** Parameters that several operations share are in `components`. */
const resolveParameter = (parameter: Parameter | { $ref: string }): Parameter =>
  '$ref' in parameter ? (document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter) : parameter;

/** Every operation of the document. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    parameters: (operation.parameters ?? []).map(resolveParameter),
    path,
    method: method.toUpperCase() as Method,
  })),
);

/** All operations, but only a few representative series: the registry generates the others in the same way. */
export const distinctOperations: Operation[] = operations.filter(({ path }) => {
  const [, series] = /^\/v2\/timeseries\/\{user_id\}\/(\w+)/.exec(path) ?? [];
  return series === undefined || ['steps', 'weight', 'cholesterol', 'hypnogram'].includes(series);
});

/** An upload of a report, as text: an empty scan. */
export const multipartType = 'multipart/form-data; boundary=b';
export const upload = (userId: string) =>
  [
    '--b',
    'Content-Disposition: form-data; name="user_id"',
    '',
    userId,
    '--b',
    'Content-Disposition: form-data; name="file"; filename="a"',
    '',
    '%PDF-1.7',
    '--b--',
    '',
  ].join('\r\n');
const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' };
const person = {
  first_name: 'Eve',
  last_name: 'Stone',
  dob: '1990-02-01',
  gender: 'female',
  phone_number: '4155550100',
  email: 'eve@example.com',
  address: home,
};
export const demographics = person;
export const insurance = { payor_code: 'P', member_id: 'M', relationship: 'Self', insured: person };

/** Bodies by operation; all ids come from `ids`. A new endpoint with a body needs an entry here. */
const bodies: Readonly<Record<string, (ids: Ids) => object | string>> = {
  ...appointmentBodies,
  createUser: () => ({ client_user_id: randomUUID() }),
  updateUser: () => ({ fallback_time_zone: 'Europe/Lisbon' }),
  createPortalUrl: () => ({ context: 'launch' }),
  createLinkToken: (ids) => ({ user_id: ids.user_id }),
  linkWithPassword: () => ({ username: 'ann', password: 'right' }),
  completeMfa: () => ({ mfa_code: '123456' }),
  linkByEmail: () => ({ email: 'ann@example.test' }),
  linkManually: (ids) => ({ user_id: ids.user_id, provider_id: 'phone' }),
  storeData: () => ({ source: { type: 'scale' }, samples: { weight: [{ timestamp: '2026-01-01T08:00:00Z', value: 71.5 }] } }),
  connectDemo: (ids) => ({ user_id: ids.user_id, provider: 'fitbit' }),
  createApiKey: () => ({ label: 'another' }),
  updateApiKey: () => ({ label: 'renamed' }),
  rotateApiKey: () => ({}),
  createWebhook: () => ({ url: 'https://receiver.test/' }),
  updateWebhook: () => ({ description: 'x' }),
  putWebhookHeaders: () => ({ headers: {} }),
  rotateWebhookSecret: () => ({}),
  recoverWebhookMessages: () => ({ since: '2026-01-01T00:00:00Z' }),
  sendWebhookTest: () => ({ event_type: 'daily.data.sleep.created' }),
  bulkImport: (ids) => ({ provider: 'fitbit', connections: [recipe(ids.user_id)] }),
  bulkExport: (ids) => ({ provider: 'fitbit', user_ids: [ids.user_id] }),
  bulkPause: (ids) => ({ provider: 'fitbit', user_ids: [ids.user_id] }),
  bulkTriggerHistoricalPull: (ids) => ({ provider: 'fitbit', user_ids: [ids.user_id] }),
  createLabTest: () => ({ marker_ids: [261001], name: 'Another test', method: 'walk_in_test', description: 'x' }),
  updateLabTest: () => ({ name: 'Renamed test' }),
  listOrderSetMarkers: (ids) => ({ lab_test_ids: [ids.lab_test_id] }),
  createParsingJob: (ids) => upload(ids.user_id),
  putUserInfo: () => demographics,
  createInsurance: () => insurance,
  createOrder: (ids) => order(ids),
  createOrderAlias: (ids) => order(ids),
  importOrder: (ids) => ({
    ...imported,
    user_id: ids.user_id,
    order_set: { lab_test_ids: [ids.lab_test_id] },
    sample_id: `S-${randomUUID()}`,
  }),
  orderTestKit: (ids) => ({ user_id: ids.user_id, lab_test_id: ids.kit_test_id, shipping_details: shipping }),
  registerTestKit: (ids) => ({ ...registration, sample_id: ids.kit_sample_id }),
  acceptUnmatchedResult: (ids) => ({ user_id: ids.user_id, order_id: ids.order_id }),
  resolveUnmatchedResult: () => ({ action: 'reject' }),
  updateCommunicationSettings: () => ({ sms_enabled: false }),
  updateOrder: () => ({ activate_by: '2099-02-01' }),
  resendOrderEvents: (ids) => ({ order_ids: [ids.order_id] }),
  simulateOrder: () => ({}),
  // A dry run, because a second replay is refused while the one in `ids` runs.
  createWebhookReplay: (ids) => ({ since: '2026-01-01T00:00:00Z', user_id: ids.user_id, selection: 'all', dry_run: true }),
};

/** Operations that respond with 501 to an authorized caller. */
export const notBuilt = new Set(['createPortalUrl']);

/** The provider in the path, where it is not the default `fitbit`. */
export const pathProviders: Readonly<Record<string, string>> = {
  linkWithPassword: 'whoop',
  completeMfa: 'whoop',
  linkByEmail: 'freestyle_libre',
  linkManually: 'manual',
  storeData: 'manual',
};

/** One of two parameters must be given. */
const needsZip = ({ operationId }: Operation, name: string) => operationId === 'findCenterAppointmentSlots' && name === 'zip_code';

/** Sends a request of the operation that is valid apart from these ids. */
export function send(caller: Caller, operation: Operation, ids: Ids): Promise<Reply> {
  const fixed: Record<string, string> = {
    provider: pathProviders[operation.operationId] ?? 'fitbit',
    oauth_provider: 'fitbit',
    kind: 'ldl',
    start_date: '2026-01-01',
    collection_date: '2026-01-01',
    query_id: ids.user_id,
    lab_id: '26',
    lab: 'quest',
    zip_code: '85004',
    provider_id: '261001',
    resource: 'sleep',
    day: '2026-01-01',
  };
  const given = ids as unknown as Record<string, string>;
  const prefix = orderPrefix(operation.path);
  const value = (name: string) => encodeURIComponent(fixed[name] ?? given[prefix + name] ?? given[name] ?? '');
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
  const query = operation.parameters.filter(
    (parameter) => parameter.in === 'query' && (parameter.required || parameter.name === 'user_id' || needsZip(operation, parameter.name)),
  );
  const text = query.map(({ name }) => `${name}=${value(name)}`).join('&');
  const body = bodies[operation.operationId]?.(ids);
  return caller.call(operation.method, `${path}?${text}`, body, {
    'x-service-link-token': ids.linkToken,
    ...(typeof body === 'string' && { 'content-type': multipartType }),
  });
}
