import { randomUUID } from 'node:crypto';
import { takeReport, type LabsContext } from '@pulsewire/labs';
import type { Caller } from './harness.ts';
import type { Ids } from './every-operation.ts';

/** A valid body of an order. */
export const order = (ids: Pick<Ids, 'user_id' | 'lab_test_id'>) => ({
  user_id: ids.user_id,
  order_set: { lab_test_ids: [ids.lab_test_id] },
  patient_details: {
    first_name: 'Eve',
    last_name: 'Stone',
    dob: '1990-02-01',
    gender: 'female',
    phone_number: '4155550100',
    email: 'eve@example.com',
  },
  patient_address: { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
});

export const shipping = {
  receiver_name: 'Eve Stone',
  first_line: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '4155550100',
};
const { patient_details: orderedFor, patient_address: orderedTo } = order({ user_id: '', lab_test_id: '' });
export const registration = { patient_details: orderedFor, patient_address: orderedTo };
export const imported = {
  patient_details: orderedFor,
  patient_address: { ...orderedTo, receiver_name: 'Eve Stone' },
  collection_method: 'walk_in_test',
  billing_type: 'client_bill',
};

const ordered = (made: { readonly id: string; readonly order_transaction: { readonly id: string } }) => ({
  order_id: made.id,
  transaction_id: made.order_transaction.id,
});

async function makeTest(owner: Caller, marker: number, method: string): Promise<string> {
  const reply = await owner.call('POST', '/v3/lab_tests', { marker_ids: [marker], name: 'Test', method, description: 'x' });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.id;
}

async function makeCompleted(owner: Caller, ids: Ids): Promise<Partial<Ids>> {
  const { order: made } = (await owner.call('POST', '/v3/order', order(ids))).body;
  await owner.call('POST', `/v3/order/${made.id}/test`, {});
  return ordered(made);
}

async function makeOnSite(owner: Caller, ids: Ids): Promise<Partial<Ids>> {
  const test = await makeTest(owner, 281001, 'on_site_collection');
  const { order: made } = (await owner.call('POST', '/v3/order', order({ ...ids, lab_test_id: test }))).body;
  await owner.call('POST', `/v3/order/${made.id}/test?final_status=received.on_site_collection.requisition_created`, {});
  return ordered(made);
}

async function makeKit(owner: Caller, ids: Ids): Promise<Partial<Ids>> {
  const kit = { user_id: ids.user_id, lab_test_id: await makeTest(owner, 111001, 'testkit'), shipping_details: shipping };
  const reply = await owner.call('POST', '/v3/order/testkit', kit);
  if (reply.status !== 200) throw new Error(reply.text);
  const { order: made } = reply.body;
  return { ...ordered(made), kit_test_id: kit.lab_test_id, kit_sample_id: made.sample_id };
}

/** An order whose lab has sent an advance beneficiary notice. */
async function makeAbn(owner: Caller, ids: Ids, { database, cipher }: LabsContext): Promise<Partial<Ids>> {
  const made = await makeCompleted(owner, ids);
  const content = cipher.sealBytes(Buffer.from('%PDF-1.4'), `lab_order_files:${made.order_id}:abn`);
  await database.sql`INSERT INTO lab_order_files (order_id, part, content_type, content) VALUES (${made.order_id ?? ''}, 'abn', 'application/pdf', ${content})`;
  return made;
}

async function makeUnmatched(owner: Caller, _ids: Ids, labs: LabsContext): Promise<Partial<Ids>> {
  const { teamId } = owner.team;
  const team = {
    teamId,
    isSandbox: true,
    partialResults: false,
    minorOrdering: false,
    humanReview: false,
    bookingBeforeRequisition: false,
  };
  const at = new Date('2026-05-01T10:00:00Z');
  const value = { providerId: '301001', name: null, value: '90', unit: null, referenceRange: null, flag: null, note: null, at };
  const report = {
    status: 'final',
    sampleId: randomUUID(),
    results: [value],
    missing: [],
    collectedAt: null,
    receivedAt: null,
    at,
  } as const;
  const taken = await takeReport(labs, team, { labId: 27, patient: null, isCorrection: false, report });
  return { raw_result_id: taken.kind === 'review' ? taken.resultId : '' };
}

async function makeAcceptable(owner: Caller, ids: Ids, labs: LabsContext): Promise<Partial<Ids>> {
  const { order: made } = (
    await owner.call('POST', '/v3/order', order({ ...ids, lab_test_id: await makeTest(owner, 271001, 'walk_in_test') }))
  ).body;
  await owner.call('POST', `/v3/order/${made.id}/test?final_status=received.walk_in_test.requisition_created`, {});
  return { ...ordered(made), ...(await makeUnmatched(owner, ids, labs)) };
}

/** Objects that only one operation needs: an order in a later state, a kit or an unmatched result. */
export const needs: Readonly<Record<string, (owner: Caller, ids: Ids, labs: LabsContext) => Promise<Partial<Ids>>>> = {
  getOrderTracking: makeCompleted,
  getOrderResults: makeCompleted,
  getOrderResultHistory: makeCompleted,
  getOrderResultsMetadata: makeCompleted,
  getOrderResultsPdf: makeCompleted,
  getOrderTransactionResults: makeCompleted,
  getOrderTransactionResultsPdf: makeCompleted,
  getRequisitionPdf: makeCompleted,
  getLabelsPdf: makeCompleted,
  getAbnPdf: makeAbn,
  completeDraw: makeOnSite,
  orderTestKit: makeKit,
  registerTestKit: makeKit,
  getUnmatchedResult: makeUnmatched,
  resolveUnmatchedResult: makeUnmatched,
  acceptUnmatchedResult: makeAcceptable,
};
