import { and, eq } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { isAmong } from '../../model/is-among.ts';
import { labShipments } from '../../model/order-tables.ts';
import { labSealContext } from '../../model/sealed-columns.ts';
import type { ParcelDetails } from '../../partners/partner.ts';

interface StoredParcel extends ParcelDetails {
  /** As last reported, and when, by the company's clock. */
  readonly state?: string;
  readonly reportedAt?: string;
}

export interface Shipment extends StoredParcel {
  readonly shipmentId: string;
}

const noParcel: ParcelDetails = {
  outboundTrackingNumber: null,
  outboundTrackingUrl: null,
  outboundCourier: null,
  inboundTrackingNumber: null,
  inboundTrackingUrl: null,
  inboundCourier: null,
  notes: null,
};

const contextOf = (orderId: string) => labSealContext('lab_shipments', orderId);

/** The shipments of these orders of a team, by order id. */
export async function readShipments(
  { orm }: Executor,
  { cipher }: Pick<LabsContext, 'cipher'>,
  teamId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Shipment>> {
  if (orderIds.length === 0) return new Map();
  const mine = and(eq(labShipments.teamId, teamId), isAmong(labShipments.orderId, orderIds));
  const rows = await run(orm.select().from(labShipments).where(mine));
  const open = (orderId: string, details: Buffer) => JSON.parse(cipher.open(details, contextOf(orderId))) as StoredParcel;
  return new Map(rows.map(({ orderId, shipmentId, details }) => [orderId, { shipmentId, ...open(orderId, details) }]));
}

/** Stores what is known of the parcel of a locked order; values that the partner omits are kept. */
export async function putShipment(
  tx: Tx,
  context: LabsContext,
  parcel: {
    readonly orderId: string;
    readonly teamId: string;
    readonly partner: string;
    readonly providerId: string;
    readonly shipmentId: string;
    readonly details: Partial<StoredParcel>;
  },
): Promise<void> {
  const { orderId, teamId, partner, providerId, shipmentId } = parcel;
  const known = (await readShipments(tx, context, teamId, [orderId])).get(orderId);
  const { shipmentId: _, ...former } = { ...noParcel, shipmentId, ...known };
  const given = Object.fromEntries(Object.entries(parcel.details).filter(([, value]) => value !== null && value !== undefined));
  const now = context.clock.now();
  const details = context.cipher.seal(JSON.stringify({ ...former, ...given }), contextOf(orderId));
  const values = { partner, providerId, details, updatedAt: now };
  await run(
    tx.orm
      .insert(labShipments)
      .values({ ...values, orderId, teamId, shipmentId, createdAt: now })
      .onConflictDoUpdate({ target: labShipments.orderId, set: values }),
  );
}
