/** An item as the mobile SDKs would send it. */
export type ExportItem = Readonly<Record<string, unknown>>;

/** Items of an export, in lists as the mobile SDKs send them. */
export interface ExportBatch {
  readonly records: readonly ExportItem[];
  readonly sleep: readonly ExportItem[];
  readonly workouts: readonly ExportItem[];
  readonly electrocardiograms: readonly ExportItem[];
  readonly deleted: readonly never[];
}

/** How much of an export was read when a batch was complete: bytes of a file, or rows of a database. */
export interface ExportPart {
  readonly batch: ExportBatch;
  readonly read: number;
  readonly total: number;
  readonly unit: 'bytes' | 'rows';
  /** Files that could not be read since the part before. */
  readonly skipped?: readonly SkippedFile[];
  /** Elements for which there is no item, by reason and name. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

/** A file beside the health data that is left out. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

/** Most items in one batch, as many as a phone sends at once. */
export const itemsPerBatch = 2000;

/** A point of a route needs a fraction of the memory of an item. */
export const pointsPerItem = 10;

export const emptyBatch = () => ({
  records: [] as ExportItem[],
  sleep: [] as ExportItem[],
  workouts: [] as ExportItem[],
  electrocardiograms: [] as ExportItem[],
  deleted: [],
});
