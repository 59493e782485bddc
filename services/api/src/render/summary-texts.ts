import type { WireSummary } from '@pulsewire/contract';
import type { KeyContext } from '../context/context.ts';
import { sourceForTeam } from './removed-fields.ts';

/** Renders summaries for a team, by its contract date. */
export function summaryForTeam(context: KeyContext): (summary: WireSummary) => WireSummary {
  const toWire = sourceForTeam(context);
  return (summary) => ({ ...summary, source: toWire(summary['source'] as Readonly<Record<string, unknown>>) });
}

/** Pages of summaries as JSON texts. */
export async function* summaryTexts(context: KeyContext, pages: AsyncIterable<readonly WireSummary[]>): AsyncGenerator<readonly string[]> {
  const toWire = summaryForTeam(context);
  for await (const page of pages) yield page.map((summary) => JSON.stringify(toWire(summary)));
}
