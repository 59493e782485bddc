import type { Cipher } from '@pulsewire/database';
import { jsonEvent } from '@pulsewire/eventlog';
import { renderReport, type ReportRow } from './report-job.ts';

/** `lab_report.parsing_job.created` or `.updated`, with the current state of the job. */
export function reportEvent(kind: 'created' | 'updated', row: ReportRow, clientUserId: string, cipher: Cipher) {
  return jsonEvent({
    eventType: `lab_report.parsing_job.${kind}`,
    teamId: row.teamId,
    userId: row.userId,
    clientUserId,
    data: renderReport(row, cipher),
  });
}
