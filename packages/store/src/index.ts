export { eraseRecords } from './erase-user.ts';
export { maintainReceipts } from './maintain.ts';
export { readGroupedSamples, type SamplePage, type SampleQuery } from './reads/read-grouped-samples.ts';
export { readSummaries, type SummaryQuery, type SummaryWindow } from './reads/read-summaries.ts';
export { readWorkoutStream, type StoredStream } from './reads/read-workout-stream.ts';
export { claimUser, claimUsers } from './user-lock.ts';
export { drawVersion } from './version.ts';
export { writeRecords } from './write-records.ts';
export type { RecordBatch, RecordOwner, WriteOutcome } from './types.ts';
