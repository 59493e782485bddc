export { auditEffects, type AuditEffect, type AuditEntry } from './audit-entry.ts';
export { createAuditRecorder, type AuditRecorder } from './create-recorder.ts';
export { listAuditEntries, type AuditFilter } from './entries.ts';
export { maintainAudit } from './entries.ts';
