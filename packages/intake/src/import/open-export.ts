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
  // What macOS adds to archives.
  if (/(?:^|\/)(?:__MACOSX\/|\._)/.test(fileName)) return null;
  if (/\.xml$/i.test(fileName) && !fileName.endsWith('export_cda.xml')) return 'apple';
  return /\.db$/i.test(fileName) ? 'health_connect' : null;
}

const depthOf = ({ fileName }: Entry): number => fileName.split('/').length;
const folderOf = ({ fileName }: Entry): string => fileName.slice(0, fileName.lastIndexOf('/') + 1);
/** In the folder of an export, or wherever a person has put its contents: the one that is least deep, and of several the one named so. */
const isBetter = (entry: Entry, known: Entry): boolean =>
  depthOf(entry) < depthOf(known) || (depthOf(entry) === depthOf(known) && /(?:^|\/)export\.xml$/i.test(entry.fileName));

interface Contents {
  readonly entry: Entry;
  readonly format: ExportFormat;
  readonly files: ReadonlyMap<string, ExportFile>;
}

/** Reads the directory of the archive. */
function readContents(zip: ZipFile): Promise<Contents> {
  return new Promise((resolve, reject) => {
    let data: Omit<Contents, 'files'> | null = null;
    const beside: Entry[] = [];
    // Paths are those below the folder of the data, with a leading slash.
    const filesIn = (folder: string) =>
      beside.flatMap((entry): [string, ExportFile][] => {
        const path = `/${entry.fileName.slice(folder.length)}`;
        const file = { path, bytes: entry.uncompressedSize, open: () => zip.openReadStreamPromise(entry) };
        return entry.fileName.startsWith(folder) && /^\/[^/]+\/[^/]+$/.test(path) ? [[path, file]] : [];
      });
    zip.on('error', (cause) => reject(unreadable('The ZIP archive is damaged', cause)));
    zip.on('end', () => {
      if (data) resolve({ ...data, files: new Map(filesIn(folderOf(data.entry))) });
      else reject(unreadable('The archive contains no health data (export.xml or health_connect_export.db)'));
    });
    zip.on('entry', (entry: Entry) => {
      const format = formatOf(entry);
      if (format && (!data || isBetter(entry, data.entry))) data = { entry, format };
      else if (/\.(?:gpx|csv)$/i.test(entry.fileName) && beside.length < filesMax) beside.push(entry);
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
