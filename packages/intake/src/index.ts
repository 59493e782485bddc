export { authenticatePhone, closePhoneSession, openPhoneSession, refreshPhoneSession, type TokenContext } from './tokens/sessions.ts';
export { checkIntake, type IntakeFault } from './data/check-intake.ts';
export { importExport, type ImportProgress } from './import/import-export.ts';
export { createBatchWorker, type BatchWorker, type BatchWorkerOptions } from './batches/work-batches.ts';
export { eraseIntake, maintainIntake } from './maintenance/erase-intake.ts';
export { batchBytesMax } from './model/seal-batch.ts';
export { receiveBatch, type ReceiveContext } from './batches/receive-batch.ts';
export { intakeSealedColumns } from './sealed-columns.ts';
export { writeIntake, type IntakeRequest } from './data/write-intake.ts';
