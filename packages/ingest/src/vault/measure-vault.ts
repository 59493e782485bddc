import type { Executor } from '@pulsewire/database';

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
export async function measureVault({ sql }: Executor, teamId: string | null = null): Promise<readonly VaultSize[]> {
  const rows = await sql<Record<string, string>[]>`
    SELECT provider, count(DISTINCT run_id) AS runs, sum(answers) AS responses, sum(raw_bytes) AS raw_bytes, sum(octet_length(body)) AS kept_bytes,
      min(day) AS first_day, max(day) AS last_day
    FROM raw_answers WHERE ${teamId}::uuid IS NULL OR team_id = ${teamId}::uuid GROUP BY provider ORDER BY provider`;
  return rows.map((row) => ({
    provider: row['provider'] ?? '',
    runs: Number(row['runs']),
    responses: Number(row['responses']),
    rawBytes: Number(row['raw_bytes']),
    keptBytes: Number(row['kept_bytes']),
    firstDay: row['first_day'] ?? '',
    lastDay: row['last_day'] ?? '',
  }));
}
