import { randomUUID } from 'node:crypto';
import type { Clock } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import { labAccounts, labAccountTeams } from '../model/catalogue-tables.ts';

export interface NewLabAccount {
  readonly labId: number;
  readonly status: string;
  readonly delegatedFlow: string;
  readonly providerAccountId: string;
  readonly accountName?: string | null;
  readonly defaultClinicalNotes?: string | null;
  readonly allowedBilling: Readonly<Record<string, readonly string[]>>;
  readonly teamIds: readonly string[];
}

/** Adds an account at a lab and links it to teams. Returns its id. */
export async function createLabAccount(database: Database, clock: Clock, account: NewLabAccount): Promise<string> {
  const { teamIds, ...values } = account;
  const labAccountId = randomUUID();
  await database.transaction(async ({ orm }) => {
    await run(orm.insert(labAccounts).values({ ...values, labAccountId, createdAt: clock.now() }));
    if (teamIds.length > 0) await run(orm.insert(labAccountTeams).values(teamIds.map((teamId) => ({ teamId, labAccountId }))));
  });
  return labAccountId;
}
