import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { emailLinks } from '../../model/tables.ts';

/** The practice declines the person: the request is deleted, and an existing connection stays. Returns false when there is no request. */
export async function declineEmailLink({ orm }: Executor, id: string): Promise<boolean> {
  const { linkId } = emailLinks;
  const rows = await run(orm.delete(emailLinks).where(eq(linkId, id)).returning({ linkId }));
  return rows.length > 0;
}
