import type { ErrorCodeTable } from './error-code-entry.ts';

/** Codes of errors about stored and received data: kind, what it means and what to do. */
export const dataCodes = {
  bad_sample: ['bug', 'A sample contains a time or offset that is not a whole number.'],
  bad_time: ['bug', 'A time is not a valid instant.'],
  batches_waiting: ['unavailable', 'Too many pending batches for this user; retry later.'],
  cursor_unreadable: ['invalid', 'next_cursor is not a cursor of this query. Pass it unchanged, with the same filters.'],
  data_refused: ['invalid', 'The database cannot store one of the values. The response lists the items.'],
  export_unreadable: ['invalid', 'The export archive cannot be read. The message says where it breaks; export it again.'],
  not_a_summary: ['bug', 'A summary needs a resource that is one.'],
  not_a_timeseries: ['bug', 'Samples need a resource that is a timeseries.'],
  packed_samples_unreadable: ['bug', 'Packed values cannot be read.'],
  phone_token_invalid: ['unauthorized', 'The token of the phone is not valid or has expired. Let the app refresh it, or sign in again.'],
  raw_unreadable: ['bug', 'A stored raw response cannot be read. Restore its encryption key.'],
  reading_unreadable: ['bug', 'The stored digest of a reading is damaged.'],
  receipt_unreadable: ['bug', 'A stored receipt is damaged.'],
  resource_without_events: ['bug', 'This resource has no data events.'],
  source_not_active: ['forbidden', 'The connection to this source is paused or in error. Resume it, or let the user link again.'],
  source_not_connected: ['not_found', 'This user has no connection to this source; link it first.'],
  source_of_other_team: ['bug', 'The source of these samples belongs to another team.'],
  summary_of_other_user: ['bug', 'A summary id already belongs to another user.'],
} as const satisfies ErrorCodeTable;
