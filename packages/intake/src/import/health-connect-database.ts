import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DatabaseSync } from 'node:sqlite';
import { isAppError } from '@pulsewire/kernel';
import { emptyBatch, itemsPerBatch, pointsPerItem, type ExportPart } from './export-batch.ts';
import { countRows, healthConnectRows } from './health-connect-rows.ts';
import { unreadable } from './open-export.ts';

/** Largest database that is unpacked. */
export const databaseBytesMax = 8 * 1024 ** 3;

const notReadable = (cause: unknown) => unreadable('The database of the export cannot be read', cause);

function open(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    // The file is untrusted: its schema must not call functions with side effects.
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;');
    return database;
  } catch (cause) {
    throw notReadable(cause);
  }
}

function* readParts(database: DatabaseSync): Generator<ExportPart> {
  const total = countRows(database);
  let batch = emptyBatch();
  let [read, weight] = [0, 0];
  for (const { list, items, points } of healthConnectRows(database)) {
    read += 1;
    batch[list].push(...items);
    weight += items.length + points / pointsPerItem;
    if (weight < itemsPerBatch) continue;
    yield { batch, read, total, unit: 'rows' };
    [batch, weight] = [emptyBatch(), 0];
  }
  if (weight > 0) yield { batch, read, total, unit: 'rows' };
}

/** Errors of SQLite become `export_unreadable`. */
function* readable<T>(parts: Iterable<T>): Generator<T> {
  try {
    yield* parts;
  } catch (cause) {
    throw isAppError(cause) ? cause : notReadable(cause);
  }
}

/**
 * Streams the items of a database of Health Connect in batches. SQLite needs a file, so the database is unpacked into a temporary folder
 * that only this account can read, and removed at the end. Throws AppError `export_unreadable`.
 */
export async function* readHealthConnect(stream: Readable, bytes: number): AsyncGenerator<ExportPart> {
  if (bytes > databaseBytesMax) throw unreadable('The database of the export is too large');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-import-'));
  try {
    const file = path.join(folder, 'export.db');
    await pipeline(stream, createWriteStream(file, { mode: 0o600 })).catch((cause: unknown) => {
      throw unreadable('The archive is damaged', cause);
    });
    const database = open(file);
    try {
      yield* readable(readParts(database));
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
