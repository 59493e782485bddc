import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { labTeamKeys } from '../../model/order-tables.ts';
import { labSealContext } from '../../model/sealed-columns.ts';

/** The team's key for searchable hashes; created on first use. */
export async function readTeamKey({ orm }: Executor, { cipher }: Pick<LabsContext, 'cipher'>, teamId: string): Promise<Buffer> {
  const context = labSealContext('lab_team_keys', teamId);
  const find = () => run(orm.select().from(labTeamKeys).where(eq(labTeamKeys.teamId, teamId)));
  const [known] = await find();
  if (known) return cipher.openBytes(known.searchKey, context);
  await run(
    orm
      .insert(labTeamKeys)
      .values({ teamId, searchKey: cipher.sealBytes(randomBytes(32), context) })
      .onConflictDoNothing(),
  );
  const [made] = await find();
  return cipher.openBytes((made as typeof labTeamKeys.$inferSelect).searchKey, context);
}
