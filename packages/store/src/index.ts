export { eraseRecords, eraseSamples } from './erase-user.ts';
export { erasedSummaryEvents } from './model/emit-removed.ts';
export { findMissing, presentIn, type PresentRecord } from './find-missing.ts';
export { maintainReceipts } from './maintain.ts';
export { packSamples, type Packed } from './samples/pack-samples.ts';
export { readNewestData, type DataSource } from './reads/read-newest-data.ts';
export { readBuckets, type SampleBucket } from './reads/read-buckets.ts';
export { readDataExtents, type DataExtent } from './reads/read-data-extents.ts';
export { readGroupedSamples, type SamplePage, type SampleQuery } from './reads/read-grouped-samples.ts';
export { readOffsetOrigins, type OffsetOrigins } from './reads/read-offset-origins.ts';
export { scanSamples, type RunQuery, type SampleScan } from './reads/scan-samples.ts';
export { scanSummaries } from './reads/scan-summaries.ts';
export { stateOfSamples, stateOfSummaries } from './reads/window-state.ts';
export { findSleep, type FoundSleep } from './reads/find-sleep.ts';
export { findSummaries, readSummariesAt, type SummaryAt } from './reads/find-summaries.ts';
export { readDayTotals, type DaySpan } from './reads/read-day-totals.ts';
export {
  readSampleInstants,
  readSamplesAt,
  readSamplesWithin,
  readSourceExtents,
  type SampleAt,
  type SourceInstant,
} from './reads/read-samples-at.ts';
export { readSummaries, readTimedSummaries, type SummaryQuery, type SummaryWindow } from './reads/read-summaries.ts';
export { readStreams, readWorkoutStream } from './reads/read-workout-stream.ts';
export { packStreams } from './streams/pack-streams.ts';
export { restateSummaries } from './summaries/restate-summaries.ts';
export { lockRecords, lockRecordsOfUsers } from './model/user-lock.ts';
export { confirmVersions, type ConfirmedVersion } from './confirm-versions.ts';
export { drawVersion } from './version.ts';
export { writeRecords } from './write-records.ts';
export { writeRecordsBisecting, type BisectedOutcome, type RefusedRecord } from './write-records-bisecting.ts';
export type { RecordBatch, RecordOwner, WriteOutcome } from './model/types.ts';
export { readStoredDays, type ResourceDay } from './reads/read-stored-days.ts';
export { readStoredDay, type StoredDay } from './reads/read-stored-day.ts';
export { endRawForms } from './raw/end-raw-forms.ts';
export { readRawDevices } from './raw/read-raw-devices.ts';
export { scanRawEntries, stateOfRawEntries, type RawEntry } from './raw/read-raw-entries.ts';
export type { RawCipher } from './model/seal-raw.ts';
export { storeSealedColumns } from './sealed-columns.ts';
export { readDevices } from './devices/read-devices.ts';
export { writeDevices } from './devices/write-devices.ts';
export { mergeSummaries, type MergedSummary } from './merge/merge-summaries.ts';
export { readMergedSamples } from './merge/read-merged-samples.ts';
export { sourceOrder } from './merge/source-order.ts';
