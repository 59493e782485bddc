import { advisoryLocks, type Executor } from '@pulsewire/database';

// Number of draws between two marks; each mark costs an update of one row.
const markEvery = 1000n;
/** More than can have been drawn since the mark by any number of processes. */
const leap = 1_000_000_000n;

interface Drawn {
  readonly version: string;
  readonly mark: string;
}

async function draw({ sql }: Executor): Promise<{ readonly version: bigint; readonly mark: bigint }> {
  const [row] = await sql<Drawn[]>`
    SELECT nextval('receipt_versions')::text AS version, coalesce((SELECT version FROM receipt_version_mark), 0)::text AS mark`;
  return { version: BigInt(row?.version ?? 0), mark: BigInt(row?.mark ?? 0) };
}

/**
 * A version for data that has just been received; later versions are higher. Draw it when the response or push has arrived, not when its
 * records are written, so that a delayed or repeated write is still ordered by its arrival. A sequence that was set back, for example by a
 * restore, is advanced beyond every version drawn before.
 */
export async function drawVersion(executor: Executor): Promise<bigint> {
  const { sql } = executor;
  const { version, mark } = await draw(executor);
  if (version > mark) {
    if (version % markEvery === 0n)
      await sql`
        INSERT INTO receipt_version_mark AS m (version) VALUES (${version.toString()}::bigint)
        ON CONFLICT (is_only) DO UPDATE SET version = excluded.version WHERE m.version < excluded.version`;
    return version;
  }
  // One statement, so that the lock is held only until the sequence is advanced; a second caller finds it above the mark.
  await sql`
    WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(${advisoryLocks.receiptVersions}))
    SELECT setval('receipt_versions', ${(mark + leap).toString()}::bigint) FROM locked WHERE nextval('receipt_versions') <= ${mark.toString()}::bigint`;
  return (await draw(executor)).version;
}
