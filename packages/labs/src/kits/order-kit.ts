import { randomUUID } from 'node:crypto';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import { resolveLabAccount } from '../accounts/lab-accounts.ts';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { putJob } from '../jobs/job-queue.ts';
import { refused } from '../model/errors.ts';
import { labOrderTransactions } from '../model/order-tables.ts';
import { changeStatus } from '../orders/change-status.ts';
import { emitOrder } from '../orders/emit-order.ts';
import { insertOrder } from '../orders/insert-order.ts';
import { nameHashes } from '../orders/sealed/name-hashes.ts';
import { testOfOrder } from '../orders/test-of-order.ts';
import type { OrderView } from '../orders/read/read-orders.ts';
import { fullStatus } from '../orders/statuses/status.ts';
import { readTeamKey } from '../orders/sealed/team-key.ts';

export interface NewKit {
  readonly userId: string;
  readonly labTestId: string;
  readonly shipping: Readonly<Record<string, unknown>> & { readonly receiver_name: string; readonly state: string };
  readonly passthrough: string | null;
  readonly labAccountId: string | null;
}

const billingType = 'client_bill';

/**
 * Orders a test kit for a patient who is not known yet: events `ordered` and `awaiting_registration`. A sandbox order gets its sample id at
 * once; for other teams the shipping partner supplies it. Throws AppErrors `user_not_found` and of kind `invalid`.
 */
export async function orderKit(tx: Tx, emit: Emit, context: LabsContext, team: LabTeam, kit: NewKit): Promise<OrderView> {
  const { teamId, isSandbox } = team;
  const now = context.clock.now();
  const { userId, clientUserId } = await context.owners.lockUser(tx, teamId, kit.userId);
  const test = await testOfOrder(tx, { teamId, set: { labTestIds: [kit.labTestId], addOn: null }, method: null, labId: null }, now);
  if (test.method !== 'testkit') throw refused('not_a_test_kit', 'The lab test is not a test kit');
  const use = { teamId, labId: test.labId, labAccountId: kit.labAccountId, billingType, state: kit.shipping.state, isImport: false };
  const account = await resolveLabAccount(tx, use);
  const [orderId, transactionId] = [randomUUID(), randomUUID()];
  await run(tx.orm.insert(labOrderTransactions).values({ transactionId, teamId, userId, createdAt: now }));
  const key = await readTeamKey(tx, context, teamId);
  await insertOrder(
    tx,
    context,
    {
      orderId,
      teamId,
      userId,
      transactionId,
      origin: 'initial',
      labId: test.labId,
      labTestId: test.labTestId,
      labAccountId: account.labAccountId,
      method: 'testkit',
      status: fullStatus('testkit', 'ordered'),
      statusAt: now,
      isRegistrable: true,
      sampleId: isSandbox ? `KIT-${orderId.slice(0, 13).toUpperCase()}` : null,
      billingType,
      recipientHashes: nameHashes(key, kit.shipping.receiver_name),
      createdAt: now,
      updatedAt: now,
    },
    {
      patient: null,
      address: null,
      shipping: kit.shipping,
      physician: null,
      clinicalNotes: account.defaultClinicalNotes,
      passthrough: kit.passthrough,
      icdCodes: null,
      answers: [],
      consents: [],
      creatorMemberId: null,
    },
  );
  if (!isSandbox) {
    await putJob(tx, { teamId, partner: test.lab.slug, kind: 'ship_kit', orderId, idempotencyKey: orderId }, now);
  }
  const view = await emitOrder(tx, emit, context, { teamId, orderId, user: { userId, clientUserId }, isNew: true });
  return changeStatus(tx, emit, context, team, view.order, { to: 'awaiting_registration' });
}
