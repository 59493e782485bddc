import type { FillDemo } from '@pulsewire/connections';
import { findIdentity, type Connector } from '@pulsewire/providers';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { emitHistoryCompleted } from '../window/complete-history.ts';
import { demoRecords } from './demo-records.ts';

/** Stores the records of `demoRecords` as a pull would: last-write-wins, events, and the completion of the history. */
export function createFillDemo(context: { connectorFor(slug: string): Connector | undefined }): FillDemo {
  return async (tx, emit, { connection, clientUserId, from, to, isHistory }) => {
    const { teamId, userId, provider } = connection;
    const identity = findIdentity(provider, context.connectorFor);
    if (!identity) return;
    const resources = new Set(Object.keys(identity.resources));
    const records = demoRecords({ userId, provider, resources }, from, to);
    await writeRecords(tx, emit, {
      owner: { teamId, userId, clientUserId },
      version: await drawVersion(tx),
      origin: isHistory ? 'historical' : 'live',
      records,
      sourceId: identity.sourceId,
      traceId: null,
    });
    if (!isHistory) return;
    for (const resource of new Set(records.map((record) => record.resource)))
      emitHistoryCompleted(emit, { teamId, userId, clientUserId, provider }, { resource, from, to, gaps: null, traceId: null });
  };
}
