import { and, eq, isNotNull } from 'drizzle-orm';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../context/context.ts';
import { labAccounts } from '../model/catalogue-tables.ts';
import { notFound, refused } from '../model/errors.ts';
import { isOrder } from '../model/of-team.ts';
import { labOrderDetails, labOrders, labOrderTransactions } from '../model/order-tables.ts';
import { assertPatient } from '../orders/checks/assert-patient.ts';
import { changeStatus, lockOrder } from '../orders/change-status.ts';
import { needsPhysician } from '../orders/create-order.ts';
import { requestPlacement } from '../orders/insert-order.ts';
import { birthDateHash, nameHashes } from '../orders/sealed/name-hashes.ts';
import { putOrderFiles } from '../orders/files/order-files.ts';
import { separateImages } from '../orders/files/order-images.ts';
import { sealOrder } from '../orders/sealed/order-secrets.ts';
import { localDayAt } from '../orders/read/local-day.ts';
import { getOrder, type OrderView } from '../orders/read/read-orders.ts';
import { readTeamKey } from '../orders/sealed/team-key.ts';

export interface KitRegistration {
  /** The new owner of the kit; null: the user for whom it was ordered. */
  readonly userId: string | null;
  readonly sampleId: string;
  readonly patient: Readonly<Record<string, unknown>> & {
    readonly first_name: string;
    readonly last_name: string;
    readonly dob: string;
    readonly phone_number: string;
  };
  readonly address: Readonly<Record<string, unknown>>;
  readonly physician: Readonly<Record<string, unknown>> | null;
  /** As in the request, with images. */
  readonly healthInsurance: Readonly<Record<string, unknown>> | null;
  readonly consents: readonly unknown[];
}

async function findKit({ orm }: Tx, teamId: string, sampleId: string): Promise<{ readonly orderId: string; readonly userId: string }> {
  const { orderId, userId } = labOrders;
  const mine = and(eq(labOrders.teamId, teamId), eq(labOrders.sampleId, sampleId), eq(labOrders.isRegistrable, true), isNotNull(userId));
  const [kit] = await run(orm.select({ orderId, userId }).from(labOrders).where(mine));
  if (!kit || kit.userId === null) throw notFound('kit_not_found', 'The team has no test kit with this sample_id');
  return { orderId: kit.orderId, userId: kit.userId };
}

/**
 * Assigns a kit to its patient, and to another user if one is named. Throws AppErrors `kit_not_found`, `user_not_found` and of kind
 * `invalid`.
 */
export async function registerKit(tx: Tx, emit: Emit, context: LabsContext, team: LabTeam, kit: KitRegistration): Promise<OrderView> {
  const { teamId } = team;
  const now = context.clock.now();
  const found = await findKit(tx, teamId, kit.sampleId);
  // Users are locked before orders.
  const { userId } = await context.owners.lockUser(tx, teamId, kit.userId ?? found.userId);
  assertPatient(team, kit.patient, await localDayAt(tx, kit.address['zip'], now));
  const order = await lockOrder(tx, teamId, found.orderId);
  if (kit.userId === null && order.userId !== userId) throw refused('kit_registered', 'The test kit has been registered in the meantime');
  const { orderId, transactionId, labAccountId } = order;
  const view = await getOrder(tx, context, teamId, orderId);
  const [account] = await run(
    tx.orm
      .select()
      .from(labAccounts)
      .where(eq(labAccounts.labAccountId, labAccountId ?? orderId)),
  );
  if (account && needsPhysician(account) && kit.physician === null)
    throw refused('physician_missing', 'This lab account requires a physician');
  const { patient, address, consents } = kit;
  const { physician, healthInsurance, files } = separateImages(kit.physician, kit.healthInsurance);
  const details = sealOrder(context.cipher, orderId, { ...view.secrets, patient, address, physician, healthInsurance, consents });
  await putOrderFiles(tx, context, orderId, files);
  await run(tx.orm.update(labOrderDetails).set({ details }).where(eq(labOrderDetails.orderId, orderId)));
  const key = await readTeamKey(tx, context, teamId);
  const hashes = [...nameHashes(key, `${patient.first_name} ${patient.last_name}`), birthDateHash(key, patient.dob)];
  await run(tx.orm.update(labOrders).set({ userId, isHidden: false, nameHashes: hashes }).where(isOrder(order)));
  const ofOrder = and(eq(labOrderTransactions.transactionId, transactionId), eq(labOrderTransactions.teamId, teamId));
  await run(tx.orm.update(labOrderTransactions).set({ userId }).where(ofOrder));
  const registered = await changeStatus(tx, emit, context, team, { ...order, userId }, { to: 'registered' });
  if (!team.isSandbox) await requestPlacement(tx, { orderId, teamId, labSlug: view.test.lab.slug }, { dueAt: null, now });
  return registered;
}
