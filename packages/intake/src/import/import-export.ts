import { isDataError, type Database } from '@pulsewire/database';
import { connectionForIntake } from '@pulsewire/connections';
import { withEvents } from '@pulsewire/eventlog';
import { AppError, type Clock } from '@pulsewire/kernel';
import { drawVersion } from '@pulsewire/store';
import { applyItems } from '../batches/apply-items.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { readAppleXml } from './apple-xml.ts';
import type { ExportBatch, ExportPart } from './export-batch.ts';
import { readHealthConnect } from './health-connect-database.ts';
import { openExport, type OpenedExport } from './open-export.ts';

/** Progress of an import. */
export interface ImportProgress extends Pick<ExportPart, 'read' | 'total' | 'unit'> {
  readonly items: number;
  readonly leftOut: Readonly<Record<string, number>>;
}

const providers = { apple: 'apple_health_kit', health_connect: 'health_connect' } as const;

const partsOf = ({ format, stream, bytes }: OpenedExport): AsyncIterable<ExportPart> =>
  format === 'apple' ? readAppleXml(stream, bytes) : readHealthConnect(stream, bytes);

async function assertLinked(database: Database, { teamId, userId, provider }: PhoneOwner): Promise<void> {
  if ((await connectionForIntake(database, teamId, userId, provider))?.status === 'connected') return;
  throw new AppError({
    code: 'source_not_connected',
    kind: 'not_found',
    message: `This user of this team has no active connection to ${provider}; link it first`,
  });
}

/**
 * Stores the data of an export of Apple Health or Health Connect with the mappers for phones, a few thousand items per transaction. May be
 * repeated: already stored data does not change. Throws AppError `export_unreadable` and `source_not_connected`.
 */
export async function importExport(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  user: { readonly teamId: string; readonly userId: string },
  file: string,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportProgress> {
  const opened = await openExport(file);
  try {
    const owner: PhoneOwner = { ...user, provider: providers[opened.format] };
    await assertLinked(database, owner);
    const version = await drawVersion(database);
    const receivedAt = clock.now();
    const write = (batch: ExportBatch, isApart: boolean) =>
      withEvents(database, (tx, emit) => applyItems(tx, emit, { ...owner, version, receivedAt }, batch, isApart));
    let progress: ImportProgress = { items: 0, leftOut: {}, read: 0, total: opened.bytes, unit: 'bytes' };
    for await (const { batch, read, total, unit } of partsOf(opened)) {
      const { leftOut } = await write(batch, false).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        return write(batch, true);
      });
      const sum = { ...progress.leftOut };
      for (const [reason, count] of Object.entries(leftOut)) sum[reason] = (sum[reason] ?? 0) + count;
      const items = progress.items + batch.records.length + batch.sleep.length + batch.workouts.length;
      progress = { items, leftOut: sum, read, total, unit };
      onProgress(progress);
    }
    return progress;
  } finally {
    opened.stream.destroy();
    opened.close();
  }
}
