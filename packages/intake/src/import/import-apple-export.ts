import { isDataError, type Database } from '@pulsewire/database';
import { connectionForIntake } from '@pulsewire/connections';
import { withEvents } from '@pulsewire/eventlog';
import { AppError } from '@pulsewire/kernel';
import { drawVersion } from '@pulsewire/store';
import { applyItems } from '../batches/apply-items.ts';
import type { PhoneOwner } from '../model/phone-owner.ts';
import { openAppleZip } from './apple-zip.ts';
import { readAppleXml, type ExportBatch } from './apple-xml.ts';

/** Progress of an import. */
export interface ImportProgress {
  readonly items: number;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly bytesRead: number;
  readonly bytes: number;
}

async function* counted(stream: AsyncIterable<Uint8Array>, add: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    add(chunk.length);
    yield chunk;
  }
}

/**
 * Stores the data of an Apple Health `export.zip` with the mappers for phones, a few thousand items per transaction. May be repeated:
 * already stored data does not change. Throws AppError `export_unreadable` and `source_not_connected`.
 */
export async function importAppleExport(
  database: Database,
  user: { readonly teamId: string; readonly userId: string },
  file: string,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportProgress> {
  const owner: PhoneOwner = { ...user, provider: 'apple_health_kit' };
  if ((await connectionForIntake(database, owner.teamId, owner.userId, owner.provider))?.status !== 'connected')
    throw new AppError({
      code: 'source_not_connected',
      kind: 'not_found',
      message: 'This user of this team has no active connection to apple_health_kit; link it first',
    });
  const version = await drawVersion(database);
  const opened = await openAppleZip(file);
  let progress: ImportProgress = { items: 0, leftOut: {}, bytesRead: 0, bytes: opened.bytes };
  let bytesRead = 0;
  const write = (batch: ExportBatch, isApart: boolean) =>
    withEvents(database, (tx, emit) => applyItems(tx, emit, { ...owner, version }, batch, isApart));
  try {
    for await (const batch of readAppleXml(counted(opened.stream, (bytes) => (bytesRead += bytes)))) {
      const { leftOut } = await write(batch, false).catch((error: unknown) => {
        if (!isDataError(error)) throw error;
        return write(batch, true);
      });
      const sum = { ...progress.leftOut };
      for (const [reason, count] of Object.entries(leftOut)) sum[reason] = (sum[reason] ?? 0) + count;
      const items = progress.items + batch.records.length + batch.sleep.length + batch.workouts.length;
      progress = { items, leftOut: sum, bytesRead, bytes: opened.bytes };
      onProgress(progress);
    }
  } finally {
    opened.stream.destroy();
    opened.close();
  }
  return progress;
}
