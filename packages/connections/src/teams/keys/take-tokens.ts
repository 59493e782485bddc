import type { Executor } from '@pulsewire/database';

/** Rate limit of a key: `perSecond` requests, and bursts of at most `burst`. */
export interface KeyRate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface TakenTokens {
  /** Whole tokens, from 0 to the number requested. */
  readonly granted: number;
  /** Tokens left for all processes. */
  readonly left: number;
}

/** Takes up to `wanted` tokens from the key's bucket, which all processes share, by the database's clock. */
export async function takeTokens({ sql }: Executor, keyId: string, { perSecond, burst }: KeyRate, wanted: number): Promise<TakenTokens> {
  const first = Math.min(wanted, burst);
  const filled = sql`least(${burst}::float8,
    b.tokens + ${perSecond}::float8 * greatest(0, extract(epoch FROM statement_timestamp() - b.refilled_at)::float8))`;
  const [row] = await sql<TakenTokens[]>`
    INSERT INTO api_key_buckets AS b (key_id, tokens, refilled_at, granted)
    VALUES (${keyId}, ${burst}::float8 - ${first}::float8, statement_timestamp(), ${first}::int)
    ON CONFLICT (key_id) DO UPDATE SET
      granted = least(${wanted}::int, floor(${filled})::int),
      tokens = ${filled} - least(${wanted}::int, floor(${filled})::int),
      -- A statement that waited for the row lock started before the one that held it.
      refilled_at = greatest(b.refilled_at, statement_timestamp())
    RETURNING granted, tokens AS left`;
  return row as TakenTokens;
}
