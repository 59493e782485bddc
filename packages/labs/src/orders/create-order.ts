import { utcDay } from '@pulsewire/kernel';
import { randomUUID } from 'node:crypto';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import { resolveLabAccount, type AccountRow } from '../accounts/lab-accounts.ts';
import { getLabAccount } from '../accounts/lab-accounts.ts';
import type { OrderSet } from '../catalogue/order-set.ts';
import type { LabTest } from '../catalogue/lab-tests.ts';
import type { LabsContext, LabTeam } from '../context/context.ts';
import type { CollectionMethod } from '../model/catalogue.ts';
import { refused } from '../model/errors.ts';
import { labOrderTransactions } from '../model/order-tables.ts';
import { assertAnswers } from './checks/assert-answers.ts';
import { assertPatient } from './checks/assert-patient.ts';
import { appendStatus } from './change-status.ts';
import { emitOrder } from './emit-order.ts';
import { birthDateHash, nameHashes } from './sealed/name-hashes.ts';
import { insertOrder, requestPlacement } from './insert-order.ts';
import { putOrderFiles } from './files/order-files.ts';
import { separateImages } from './files/order-images.ts';
import type { OrderSecrets } from './sealed/order-secrets.ts';
import { testOfOrder } from './test-of-order.ts';
import { localDayAt } from './read/local-day.ts';
import { getOrder, type OrderRow, type OrderView } from './read/read-orders.ts';
import { fullStatus } from './statuses/status.ts';
import { readTeamKey } from './sealed/team-key.ts';

type Patient = Readonly<Record<string, unknown>> & {
  readonly first_name: string;
  readonly last_name: string;
  readonly dob: string;
  readonly phone_number: string;
};
type Address = Readonly<Record<string, unknown>> & { readonly state: string };

export interface NewOrder {
  readonly userId: string;
  readonly set: OrderSet;
  readonly method: CollectionMethod | null;
  readonly patient: Patient;
  readonly address: Address;
  readonly labAccountId: string | null;
  readonly billingType: string;
  readonly priority: boolean;
  /** `YYYY-MM-DD`. */
  readonly activateBy: string | null;
  readonly parentOrderId: string | null;
  readonly updateReason: string | null;
  /** Set: the order already exists at the lab. */
  readonly imported: { readonly sampleId: string } | null;
  /** As in the request, with images. */
  readonly healthInsurance: Readonly<Record<string, unknown>> | null;
  readonly secrets: Omit<OrderSecrets, 'patient' | 'address' | 'shipping' | 'healthInsurance'>;
}

/** What a new order inherits from the order that it replaces. */
async function readParent(tx: Tx, context: LabsContext, teamId: string, order: NewOrder): Promise<OrderRow | null> {
  if (order.parentOrderId === null) return null;
  const { order: parent } = await getOrder(tx, context, teamId, order.parentOrderId);
  if (parent.userId !== order.userId) throw refused('parent_order_of_another_user', 'parent_order_id is the order of another user');
  return parent;
}

function accountOf(tx: Tx, teamId: string, order: NewOrder, parent: OrderRow | null, test: LabTest): Promise<AccountRow> {
  // The parent's account belongs to the parent's lab; when the lab was wrong or has changed, a new account is chosen.
  const isReused = parent !== null && order.updateReason !== 'INCORRECT_LAB' && parent.labId === test.labId;
  const { billingType } = order;
  const use = { teamId, labId: test.labId, billingType, state: order.address.state, isImport: order.imported !== null };
  if (order.labAccountId !== null || !isReused) return resolveLabAccount(tx, { ...use, labAccountId: order.labAccountId });
  return resolveLabAccount(tx, { ...use, labAccountId: null }).catch((error: unknown) => {
    if (parent.labAccountId === null) throw error;
    return resolveLabAccount(tx, { ...use, labAccountId: parent.labAccountId });
  });
}

export const needsPhysician = (account: AccountRow) =>
  account.delegatedFlow === 'order_delegated' || account.delegatedFlow === 'fully_delegated';

/**
 * Creates an order with its first event, and emits `labtest.order.created`. A sandbox order does not advance until it is simulated; for
 * others the lab gets a request for a requisition. An imported order moves to `requisition_bypassed` at once. Throws AppErrors
 * `user_not_found` and of kind `invalid`.
 */
export async function createOrder(tx: Tx, emit: Emit, context: LabsContext, team: LabTeam, order: NewOrder): Promise<OrderView> {
  const { teamId } = team;
  const now = context.clock.now();
  const today = utcDay(now);
  const { userId, clientUserId } = await context.owners.lockUser(tx, teamId, order.userId);
  assertPatient(team, order.patient, await localDayAt(tx, order.address.zip, now));
  if (order.activateBy !== null && order.activateBy < today) throw refused('activate_by_in_past', 'activate_by is in the past');
  const labId = order.labAccountId === null ? null : (await getLabAccount(tx, teamId, order.labAccountId)).labId;
  const test = await testOfOrder(tx, { teamId, set: order.set, method: order.method, labId }, now);
  if (order.imported === null) assertAnswers(test.markers, order.secrets.answers);
  const { physician, healthInsurance, files } = separateImages(order.secrets.physician, order.healthInsurance);
  const parent = await readParent(tx, context, teamId, order);
  const account = await accountOf(tx, teamId, order, parent, test);
  if (needsPhysician(account) && order.secrets.physician === null)
    throw refused('physician_missing', 'This lab account requires a physician');
  const [orderId, transactionId] = [randomUUID(), parent?.transactionId ?? randomUUID()];
  if (parent === null) await run(tx.orm.insert(labOrderTransactions).values({ transactionId, teamId, userId, createdAt: now }));
  const key = await readTeamKey(tx, context, teamId);
  const { first_name: first, last_name: last, dob } = order.patient;
  const notes = [account.defaultClinicalNotes, order.secrets.clinicalNotes].filter((text) => text !== null && text !== '');
  await insertOrder(
    tx,
    context,
    {
      orderId,
      teamId,
      userId,
      transactionId,
      parentId: parent?.orderId ?? null,
      origin: parent === null ? 'initial' : 'recreation',
      labId: test.labId,
      labTestId: test.labTestId,
      labAccountId: account.labAccountId,
      method: test.method,
      status: fullStatus(test.method as CollectionMethod, 'ordered'),
      statusAt: now,
      sampleId: order.imported?.sampleId ?? null,
      priority: order.priority,
      billingType: order.billingType,
      activateBy: order.activateBy,
      wasScheduled: order.activateBy !== null,
      nameHashes: [...nameHashes(key, `${first} ${last}`), birthDateHash(key, dob)],
      createdAt: now,
      updatedAt: now,
    },
    {
      ...order.secrets,
      physician,
      healthInsurance,
      patient: order.patient,
      address: order.address,
      shipping: null,
      clinicalNotes: notes.length > 0 ? notes.join('\n') : null,
    },
  );
  await putOrderFiles(tx, context, orderId, files);
  if (order.imported === null && !team.isSandbox) {
    const dueAt = order.activateBy !== null && order.activateBy > today ? new Date(`${order.activateBy}T00:00:00Z`) : null;
    await requestPlacement(tx, { orderId, teamId, labSlug: test.lab.slug }, { dueAt, now });
  }
  const view = await emitOrder(tx, emit, context, { teamId, orderId, user: { userId, clientUserId }, isNew: true });
  if (order.imported === null) return view;
  return appendStatus(tx, emit, context, team, view.order, { to: 'requisition_bypassed' });
}
