import type { SealedColumn } from '@pulsewire/database';

/** The encryption context of this package's sealed values: table and row key. */
export function labSealContext(table: string, ...key: readonly (string | number | boolean)[]): string {
  return [table, ...key].join(':');
}

function column(table: string, name: string, ...contextColumns: string[]): SealedColumn {
  return { table, column: name, contextColumns, context: (values) => labSealContext(table, ...values) };
}

/** Every encrypted column of this package, for key rotation. */
export const labSealedColumns: readonly SealedColumn[] = [
  column('lab_team_keys', 'search_key', 'team_id'),
  column('lab_user_info', 'details', 'user_id'),
  column('lab_user_insurance', 'details', 'user_id', 'is_primary'),
  column('lab_order_details', 'details', 'order_id'),
  column('lab_shipments', 'details', 'order_id'),
  column('lab_order_files', 'content', 'order_id', 'part'),
  column('lab_requests', 'response', 'team_id', 'endpoint', 'key_hash'),
  column('lab_results', 'details', 'order_id'),
  column('lab_unmatched_results', 'details', 'result_id'),
  column('lab_held_notices', 'details', 'notice_id'),
  column('lab_appointments', 'details', 'appointment_id'),
  column('lab_reports', 'data', 'job_id'),
  column('lab_report_files', 'content', 'job_id', 'part'),
];
