import { createSampleWriter, type TimeseriesResource } from '@pulsewire/contract';
import { scanSamples, type SampleScan } from '@pulsewire/store';
import type { KeyContext } from '../../../context/context.ts';

/** Pages of samples as JSON texts, ordered by time. Each page holds one of the team's read slots while it is fetched. */
export async function* sampleTexts(
  context: KeyContext,
  row: TimeseriesResource,
  scan: Omit<SampleScan, 'teamId' | 'resource'>,
): AsyncGenerator<readonly string[]> {
  const { teamId } = context.team;
  const writers = new Map<string, ReturnType<typeof createSampleWriter>>();
  const writerOf = (subKind: string) => {
    const known = writers.get(subKind) ?? createSampleWriter(row, subKind === '' ? undefined : subKind);
    writers.set(subKind, known);
    return known;
  };
  const pages = scanSamples(context.database, { ...scan, teamId, resource: row.name }, (query) => context.readSlots.run(teamId, query));
  for await (const page of pages) yield page.map(({ subKind, sample }) => writerOf(subKind)(sample));
}
