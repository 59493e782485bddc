import { isAppError } from '@pulsewire/kernel';
import { plainArray, textArray } from '@pulsewire/database';
import { openPart } from '../sealed/seal-part.ts';
import type { StoredResponse } from '../sealed/stored-response.ts';
import type { VaultReader } from './vault-runs.ts';

/** The responses of one page of a pull, or of one push. */
export interface KeptResponses {
  readonly runId: string;
  readonly provider: string;
  readonly source: 'pull' | 'push';
  readonly pull: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly keptAt: Date;
  /** Without their bodies; null when the part cannot be opened. */
  readonly responses: readonly (Omit<StoredResponse, 'bytes'> & { readonly size: number | null })[] | null;
  /** Code of the error that prevented opening; null when there was none. */
  readonly errorCode: string | null;
}

export interface DayOfResponses {
  readonly teamId: string;
  readonly userId: string;
  readonly day: string;
  /** Names of the pulls that read the resource; pushes are always included. */
  readonly pulls: readonly string[];
  /** Responses with these versions are included whatever days they are of. */
  readonly versions: readonly bigint[];
}

const partsMax = 100;

type Column = 'run_id' | 'part' | 'provider' | 'source' | 'pull' | 'start_date' | 'end_date' | 'kept_at';

/** The vault's content for a user's day, oldest first; at most the newest `partsMax` parts. */
export async function readResponsesOfDay({ database, cipher }: VaultReader, query: DayOfResponses): Promise<readonly KeptResponses[]> {
  const { teamId, userId, day, pulls, versions } = query;
  const rows = await database.sql<(Record<Column, string> & { readonly body: Buffer })[]>`
    SELECT run_id, part, provider, source, pull, start_date, end_date, kept_at, body FROM raw_answers
    WHERE user_id = ${userId} AND team_id = ${teamId}
      AND ((start_date <= ${day} AND end_date >= ${day} AND (source = 'push' OR pull = ANY(${textArray(pulls)}::text[])))
        OR version = ANY(${plainArray(versions.map(String))}::bigint[]))
    ORDER BY kept_at DESC, part DESC LIMIT ${partsMax}`;
  return Promise.all(
    rows.toReversed().map(async (row): Promise<KeptResponses> => {
      const kept = {
        runId: row.run_id,
        provider: row.provider,
        source: row.source as KeptResponses['source'],
        pull: row.pull,
        startDate: row.start_date,
        endDate: row.end_date,
        keptAt: new Date(row.kept_at),
      };
      try {
        const opened = await openPart(cipher, { runId: row.run_id, part: Number(row.part), userId }, row.body);
        const responses = opened.responses.map(({ bytes, ...response }) => ({ ...response, size: bytes?.length ?? null }));
        return { ...kept, responses, errorCode: null };
      } catch (error) {
        if (!isAppError(error)) throw error;
        return { ...kept, responses: null, errorCode: error.code };
      }
    }),
  );
}
