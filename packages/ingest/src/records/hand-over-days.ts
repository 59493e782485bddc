import { isOpen, readResourceHandover, saveResourceHandover } from '@pulsewire/connections';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Tx } from '@pulsewire/database';
import type { IngestContext } from '../context/context.ts';
import { openCalendar } from '../handover/calendar.ts';
import { claimForSuccessor } from '../handover/claim-for-successor.ts';
import { recordDelivered, type Page } from '../handover/record-delivered.ts';
import { withinOwnDays } from './day-filters.ts';

/**
 * The records of a page on days that belong to its connection. Where the connection shares resources with a successor or an ending provider of
 * the same person, a resource goes to the successor once that one delivers it, from the day after the last that the ending provider has
 * stored, and so does every earlier day that only the successor has. No day is read from both, and none is lost that only one of them has.
 * The caller holds the user's lock, so that both connections see the same handover.
 */
export async function handOverDays(
  context: Pick<IngestContext, 'connectorFor' | 'logger'>,
  tx: Tx,
  page: Page,
): Promise<readonly CanonicalRecord[]> {
  const { connection, connector } = page.pullable;
  // All others cost no query.
  if (connector.end === undefined && connector.succeedsPerResource === undefined) return page.records;
  const handover = await readResourceHandover(tx, connection, true);
  if (!handover) return page.records;
  const calendar = openCalendar(page.pullable, handover, page.now);
  const days = await recordDelivered(context, tx, page, handover, calendar);
  const divided = await claimForSuccessor(context, tx, page, { ...handover, days }, calendar);
  const isChanged = divided.days !== handover.days || divided.again !== handover.again;
  if (isChanged) await saveResourceHandover(tx, connection, { ...handover, ...divided });
  const taken = Object.keys(days).filter((resource) => isOpen(divided.days[resource]) && !isOpen(handover.days[resource]));
  const { connectionId } = handover.successor;
  const [from, to] = [handover.ending.provider, handover.successor.provider];
  if (taken.length > 0) context.logger.info({ connectionId, from, to, resources: taken }, 'handover.taken');
  return withinOwnDays(page.records, { days: divided.days, isSuccessor: handover.isSuccessor });
}
