import { asc, countDistinct, eq, max, min, sql, sum } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { rawResponses } from '../model/tables.ts';

/** The size of one provider's data in the vault, and how much of it can be normalised again. */
export interface VaultSize {
  readonly provider: string;
  readonly runs: number;
  readonly responses: number;
  readonly rawBytes: number;
  readonly keptBytes: number;
  readonly firstDay: string;
  readonly lastDay: string;
}

/** Sizes by provider, of all teams or of one. Reads the whole table. */
export async function measureVault({ orm }: Executor, teamId: string | null = null): Promise<readonly VaultSize[]> {
  const r = rawResponses;
  const sizes = orm
    .select({
      provider: r.provider,
      runs: countDistinct(r.runId),
      responses: sum(r.responses),
      rawBytes: sum(r.rawBytes),
      keptBytes: sum(sql`octet_length(${r.body})`),
      firstDay: min(r.day),
      lastDay: max(r.day),
    })
    .from(r)
    .where(teamId === null ? undefined : eq(r.teamId, teamId))
    .groupBy(r.provider)
    .orderBy(asc(r.provider));
  return (await run(sizes)).map(({ provider, runs, responses, rawBytes, keptBytes, firstDay, lastDay }) => ({
    provider,
    runs,
    responses: Number(responses),
    rawBytes: Number(rawBytes),
    keptBytes: Number(keptBytes),
    firstDay: firstDay ?? '',
    lastDay: lastDay ?? '',
  }));
}
