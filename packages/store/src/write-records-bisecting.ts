import { errorCode } from '@pulsewire/kernel';
import type { CanonicalRecord } from '@pulsewire/contract';
import { isDataError, savepoint, type Tx } from '@pulsewire/database';
import { rehearseAppend, type Emit, type NewEvent } from '@pulsewire/eventlog';
import { splitRecords } from './split-records.ts';
import type { RecordBatch, WriteOutcome } from './model/types.ts';
import { writeRecords } from './write-records.ts';

/** A record, or one sample of it, that Postgres refused. */
export interface RefusedRecord {
  readonly record: CanonicalRecord;
  /** SQLSTATE. */
  readonly code: string;
}

export interface BisectedOutcome {
  readonly outcome: WriteOutcome;
  readonly refused: readonly RefusedRecord[];
}

/**
 * Maximum number of writes for a batch. Beyond that, failing parts are no longer halved: a batch that is bad throughout does not justify a
 * statement for each sample.
 */
const writesMax = 2000;

const nothing: WriteOutcome = {
  samplesRefused: 0,
  older: 0,
  samplesReceived: 0,
  samplesCreated: 0,
  samplesUpdated: 0,
  summariesReceived: 0,
  summariesCreated: 0,
  summariesUpdated: 0,
  streamsWritten: 0,
  removed: 0,
  events: 0,
};

function add(a: WriteOutcome, b: WriteOutcome): WriteOutcome {
  return Object.fromEntries(
    Object.keys(nothing).map((name) => [name, a[name as keyof WriteOutcome] + b[name as keyof WriteOutcome]]),
  ) as unknown as WriteOutcome;
}

/** In the order in which a single write of all of them would proceed. */
const kinds: readonly CanonicalRecord['kind'][] = ['summary', 'stream', 'summary_removal', 'samples', 'sample_removal'];

/**
 * `writeRecords` for a batch that Postgres refused as a whole (`isDataError`): finds the records and samples at fault by halving and writes
 * all others, with their events. Nothing else may run in the transaction at the same time. Throws every error that is not a data error.
 */
export async function writeRecordsBisecting(tx: Tx, emit: Emit, batch: RecordBatch): Promise<BisectedOutcome> {
  let writes = 0;
  let outcome = nothing;
  const refused: RefusedRecord[] = [];

  async function write(records: readonly CanonicalRecord[]): Promise<void> {
    if (records.length === 0) return;
    const events: NewEvent[] = [];
    writes += 1;
    try {
      const written = await savepoint(tx, async (inner) => {
        const done = await writeRecords(inner, (event) => events.push(event), { ...batch, records });
        await rehearseAppend(inner, events);
        return done;
      });
      outcome = add(outcome, written);
      for (const event of events) emit(event);
    } catch (error) {
      if (!isDataError(error)) throw error;
      const halves = writes < writesMax ? splitRecords(records) : null;
      if (halves === null) refused.push(...records.map((record) => ({ record, code: errorCode(error) })));
      for (const half of halves ?? []) await write(half);
    }
  }

  await write(batch.records.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)));
  return { outcome, refused };
}
