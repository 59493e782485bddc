import { createPartsWriter, type TimeseriesResource } from '@pulsewire/contract';
import { scanSamples, type SampleScan } from '@pulsewire/store';
import type { KeyContext } from '../../../context/context.ts';

/** Samples per piece of a response: some 64 KB of JSON, so that a client that does not read holds little memory. */
const samplesPerPiece = 512;

/** Pages of samples as JSON texts, ordered by time. Each query holds one of the team's read slots. */
export async function* sampleTexts(
  context: KeyContext,
  row: TimeseriesResource,
  scan: Omit<SampleScan, 'teamId' | 'resource'>,
): AsyncGenerator<readonly string[]> {
  const { teamId } = context.team;
  const writers = new Map<string, ReturnType<typeof createPartsWriter>>();
  const writerOf = (subKind: string) => {
    const known = writers.get(subKind) ?? createPartsWriter(row, subKind === '' ? undefined : subKind);
    writers.set(subKind, known);
    return known;
  };
  const chunks = scanSamples(context.database, { ...scan, teamId, resource: row.name }, (query) => context.teamSlots.run(teamId, query));
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.count; from += samplesPerPiece) {
      const texts: string[] = [];
      chunk.visit(from, Math.min(from + samplesPerPiece, chunk.count), (subKind, ts, end, offset, value, value2, extra) => {
        texts.push(writerOf(subKind)(ts, end, offset, value, value2, extra));
      });
      yield texts;
    }
  }
}
