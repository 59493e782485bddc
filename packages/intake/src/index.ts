export type { PhoneClaims } from './tokens/access-token.ts';
export {
  authenticatePhone,
  closePhoneSession,
  openPhoneSession,
  refreshPhoneSession,
  userOfRefreshToken,
  type TokenContext,
} from './tokens/sessions.ts';
export { checkIntake, type IntakeFault } from './data/check-intake.ts';
export { importExport, type ImportProgress } from './import/import-export.ts';
export { buildPastSummaries, type PastProgress } from './past/build-past.ts';
export { createBatchWorker, type BatchWorker, type BatchWorkerOptions } from './batches/work-batches.ts';
export { eraseIntake, maintainIntake } from './maintenance/erase-user.ts';
export { batchBytesMax, phoneJsonBounds } from './model/seal-batch.ts';
export { signPhoneOut } from './batches/sign-out.ts';
export { receiveBatch, type ReceiveContext } from './batches/receive-batch.ts';
export { intakeSealedColumns } from './sealed-columns.ts';
export { writeIntake, type IntakeRequest } from './data/write-intake.ts';
