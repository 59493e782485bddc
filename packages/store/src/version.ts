import type { Executor } from '@pulsewire/database';

/**
 * A version for what has just been received: the later drawn, the higher. Draw it when the answer or push has arrived,
 * not when its records are written, so that a write that was held up or repeated still counts by its receipt (plan 4.1).
 */
export async function drawVersion({ sql }: Executor): Promise<bigint> {
  const [row] = await sql<{ version: string }[]>`SELECT nextval('receipt_versions')::text AS version`;
  return BigInt(row?.version ?? 0);
}
