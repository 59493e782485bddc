import { and, eq, inArray } from 'drizzle-orm';
import { run, type Executor, type Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { labOrderFiles } from '../../model/order-tables.ts';
import { labSealContext } from '../../model/sealed-columns.ts';

/** Images of a request, and the lab's notice that the insurance may not pay. */
export type FilePart = 'physician_signature' | 'insurance_front' | 'insurance_back' | 'patient_signature' | 'abn';

export interface OrderFile {
  readonly part: FilePart;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Stores files of an order; a later file replaces an earlier one of the same part. */
export async function putOrderFiles(
  { orm }: Tx,
  { cipher }: Pick<LabsContext, 'cipher'>,
  orderId: string,
  files: readonly OrderFile[],
): Promise<void> {
  for (const { part, contentType, content } of files) {
    const row = { orderId, part, contentType, content: cipher.sealBytes(content, labSealContext('lab_order_files', orderId, part)) };
    const target = [labOrderFiles.orderId, labOrderFiles.part];
    await run(orm.insert(labOrderFiles).values(row).onConflictDoUpdate({ target, set: row }));
  }
}

/** The files of these parts that the order has. The caller has checked that the order is the team's. */
export async function readOrderFiles(
  { orm }: Executor,
  { cipher }: Pick<LabsContext, 'cipher'>,
  orderId: string,
  parts: readonly FilePart[],
): Promise<readonly OrderFile[]> {
  const wanted = and(eq(labOrderFiles.orderId, orderId), inArray(labOrderFiles.part, [...parts]));
  const rows = await run(orm.select().from(labOrderFiles).where(wanted));
  return rows.map(({ part, contentType, content }) => ({
    part: part as FilePart,
    contentType,
    content: cipher.openBytes(content, labSealContext('lab_order_files', orderId, part)),
  }));
}
