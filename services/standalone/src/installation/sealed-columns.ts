import { connectionSealedColumns } from '@pulsewire/connections';
import type { SealedColumn } from '@pulsewire/database';
import { ingestSealedColumns } from '@pulsewire/ingest';
import { intakeSealedColumns } from '@pulsewire/intake';
import { labSealedColumns } from '@pulsewire/labs';
import { storeSealedColumns } from '@pulsewire/store';
import { webhookSealedColumns } from '@pulsewire/webhooks';

/** Every encrypted column of all packages. A test detects missing ones. */
export const sealedColumns: readonly SealedColumn[] = [
  ...connectionSealedColumns,
  ...ingestSealedColumns,
  ...intakeSealedColumns,
  ...webhookSealedColumns,
  ...labSealedColumns,
  ...storeSealedColumns,
];
