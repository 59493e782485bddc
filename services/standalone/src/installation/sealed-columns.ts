import { connectionSealedColumns } from '@pulsewire/connections';
import type { SealedColumn } from '@pulsewire/database';
import { ingestSealedColumns } from '@pulsewire/ingest';
import { webhookSealedColumns } from '@pulsewire/webhooks';

/** Every encrypted column of all packages. A test finds those that are missing here. */
export const sealedColumns: readonly SealedColumn[] = [...connectionSealedColumns, ...ingestSealedColumns, ...webhookSealedColumns];
