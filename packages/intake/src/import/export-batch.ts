/** An item as the mobile SDKs would send it. */
export type ExportItem = Readonly<Record<string, unknown>>;

/** Items of an export, in lists as the mobile SDKs send them. */
export interface ExportBatch {
  readonly records: readonly ExportItem[];
  readonly sleep: readonly ExportItem[];
  readonly workouts: readonly ExportItem[];
  readonly deleted: readonly never[];
}

/** How much of an export was read when a batch was complete: bytes of a file, or rows of a database. */
export interface ExportPart {
  readonly batch: ExportBatch;
  readonly read: number;
  readonly total: number;
  readonly unit: 'bytes' | 'rows';
}

/** Most items in one batch, as many as a phone sends at once. */
export const itemsPerBatch = 2000;

export const emptyBatch = () => ({ records: [] as ExportItem[], sleep: [] as ExportItem[], workouts: [] as ExportItem[], deleted: [] });
