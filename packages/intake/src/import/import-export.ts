import { isDataError, type Database } from '@pulsewire/database';
import { connectionForIntake } from '@pulsewire/connections';
import { withEvents } from '@pulsewire/eventlog';
import { AppError, type Clock } from '@pulsewire/kernel';
import { drawVersion } from '@pulsewire/store';
import { applyItems } from '../batches/apply-items.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { readAppleExport } from './apple-xml.ts';
import type { ExportBatch, ExportPart, SkippedFile } from './export-batch.ts';
import { readHealthConnect } from './health-connect-database.ts';
import { openExport, type OpenedExport } from './open-export.ts';

/** Progress of an import. */
export interface ImportProgress extends Pick<ExportPart, 'read' | 'total' | 'unit'> {
  readonly items: number;
  readonly leftOut: Readonly<Record<string, number>>;
  /** Files of routes and electrocardiograms that were left out; the first of them by name. */
  readonly filesSkipped: number;
  readonly skipped: readonly SkippedFile[];
}

const skippedMax = 100;

const providers = { apple: 'apple_health_kit', health_connect: 'health_connect' } as const;

const partsOf = (opened: OpenedExport): AsyncIterable<ExportPart> =>
  opened.format === 'apple' ? readAppleExport(opened) : readHealthConnect(opened.stream, opened.bytes);

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
    const write = (batch: ExportBatch, isolatesRefused: boolean) =>
      withEvents(database, (tx, emit) =>
        applyItems(tx, emit, { ...owner, version, receivedAt, isExport: true }, { ...batch, isExport: true }, isolatesRefused),
      );
    let progress: ImportProgress = { items: 0, leftOut: {}, filesSkipped: 0, skipped: [], read: 0, total: opened.bytes, unit: 'bytes' };
    for await (const { batch, read, total, unit, skipped = [], leftOut: unread = {} } of partsOf(opened)) {
      const { leftOut } = await write(batch, false).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        return write(batch, true);
      });
      const sum = { ...progress.leftOut };
      for (const [reason, count] of [...Object.entries(unread), ...Object.entries(leftOut)]) sum[reason] = (sum[reason] ?? 0) + count;
      const { records, sleep, workouts, electrocardiograms } = batch;
      progress = {
        items: progress.items + records.length + sleep.length + workouts.length + electrocardiograms.length,
        leftOut: sum,
        filesSkipped: progress.filesSkipped + skipped.length,
        skipped: [...progress.skipped, ...skipped].slice(0, skippedMax),
        read,
        total,
        unit,
      };
      onProgress(progress);
    }
    return progress;
  } finally {
    opened.stream.destroy();
    opened.close();
  }
}
