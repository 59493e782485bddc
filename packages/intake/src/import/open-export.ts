import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { AppError } from '@pulsewire/kernel';

/** Where an export is from. */
export type ExportFormat = 'apple' | 'health_connect';

/** A file beside the health data. */
export interface ExportFile {
  /** Below the folder of the export, with a leading slash: as the health data refer to it. */
  readonly path: string;
  /** Bytes when unpacked, as the archive states them. */
  readonly bytes: number;
  open(): Promise<Readable>;
}

/** The health data of an export, streamed while it is unpacked. */
export interface OpenedExport {
  readonly format: ExportFormat;
  /** Bytes when unpacked. */
  readonly bytes: number;
  readonly stream: Readable;
  /** Routes of workouts and electrocardiograms, by path. */
  readonly files: ReadonlyMap<string, ExportFile>;
  close(): void;
}

export const unreadable = (message: string, cause?: unknown) =>
  new AppError({ code: 'export_unreadable', kind: 'invalid', message, cause });

/** Most files beside the health data; a route a day for centuries. */
const filesMax = 100_000;

/**
 * Apart from folders, routes and electrocardiograms, an export of Apple Health has two XML files: its data, with a translated name, and a
 * clinical document. One of Health Connect has a single file, a database.
 */
function formatOf({ fileName }: Entry): ExportFormat | null {
  if (/^[^/]+\/[^/]+\.xml$/i.test(fileName) && !fileName.endsWith('export_cda.xml')) return 'apple';
  return /^(?:[^/]+\/)?[^/]+\.db$/i.test(fileName) ? 'health_connect' : null;
}

interface Contents {
  readonly entry: Entry;
  readonly format: ExportFormat;
  readonly files: ReadonlyMap<string, ExportFile>;
}

/** Reads the directory of the archive. */
function readContents(zip: ZipFile): Promise<Contents> {
  return new Promise((resolve, reject) => {
    let data: Omit<Contents, 'files'> | null = null;
    const files = new Map<string, ExportFile>();
    zip.on('error', (cause) => reject(unreadable('The ZIP archive is damaged', cause)));
    zip.on('end', () => {
      if (data) resolve({ ...data, files });
      else reject(unreadable('The archive contains no health data (export.xml or health_connect_export.db)'));
    });
    zip.on('entry', (entry: Entry) => {
      const format = formatOf(entry);
      const { fileName, uncompressedSize: bytes } = entry;
      const path = fileName.slice(fileName.indexOf('/'));
      if (format) data ??= { entry, format };
      else if (/^\/[^/]+\/[^/]+\.(?:gpx|csv)$/i.test(path) && files.size < filesMax)
        files.set(path, { path, bytes, open: () => zip.openReadStreamPromise(entry) });
      zip.readEntry();
    });
    zip.readEntry();
  });
}

function notOpened(cause: unknown): AppError {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  if (code === 'ENOENT') return unreadable('There is no such file', cause);
  if (typeof code === 'string') return unreadable(`The file cannot be opened (${code})`, cause);
  return unreadable('The file is not a complete ZIP archive', cause);
}

/** Opens an export of Apple Health or Health Connect without unpacking it. Throws AppError `export_unreadable`. */
export async function openExport(file: string): Promise<OpenedExport> {
  const zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false }).catch((cause: unknown) => {
    throw notOpened(cause);
  });
  try {
    const { entry, format, files } = await readContents(zip);
    return { format, bytes: entry.uncompressedSize, stream: await zip.openReadStreamPromise(entry), files, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}
