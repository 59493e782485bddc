import { saveGrantedScopes } from '@pulsewire/connections';
import type { Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { scopesOf } from '@pulsewire/providers';
import type { IngestContext } from '../../context/context.ts';
import type { Pullable } from '../../context/pullable.ts';
import { planNotices } from '../../plan/plan-notices.ts';
import { planPulls } from '../../plan/plan-pulls.ts';
import { recordArrival } from '../../pull-plans/schedule.ts';
import type { NoticesFor } from './notices-for.ts';
import { storePushed } from './store-pushed.ts';

/** Applies the notices of one account to one of its connections, all but a revocation of the consent. */
export async function applyNotices(context: IngestContext, tx: Tx, emit: Emit, wanted: NoticesFor): Promise<void> {
  const { notices } = wanted;
  const found = await applyScopes(context, tx, wanted);
  const reads = notices.filter((notice) => notice.kind === 'changed' || notice.kind === 'object');
  await planNotices(context, tx, found, reads);
  await recordArrival(tx, found.connection.connectionId, context.clock.now());
  const hasData = notices.some(({ kind }) => kind === 'data' || kind === 'removed');
  if (hasData) await storePushed(context, tx, emit, { ...wanted, found });
}

/** Saves the scopes that the user grants now and plans what they add; returns the updated connection. */
async function applyScopes(context: IngestContext, tx: Tx, { found, notices }: NoticesFor): Promise<Pullable> {
  const { connection, connector } = found;
  const { connectionId } = connection;
  const scopes = notices.findLast((notice) => notice.kind === 'scopes');
  if (!scopes || !(await saveGrantedScopes(tx, connectionId, scopes.grantedScopes, scopesOf(connector)))) return found;
  const granted = { ...connection, grantedScopes: scopes.grantedScopes };
  await planPulls(context, tx, { connection: granted, connector }, context.clock.now());
  await context.jobs.wake(tx, connectionId);
  return { connection: granted, connector };
}
