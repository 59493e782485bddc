import { joinStages, type StageSpan } from '../kit/records/sleep-records.ts';
import { readEach, type JsonNode } from '../kit/values/json-node.ts';
import type { Quarantined } from '@pulsewire/contract';

const awake = 4;
const out = 'out';
/** A night that the user edited says of its sleep no more than this. */
const asleepNames: ReadonlySet<string> = new Set(['asleep', 'sleep']);

/** Out of bed during the night counts as awake. */
const codes: Readonly<Record<string, number>> = { deep: 1, light: 2, rem: 3, awake, [out]: awake };

interface Stage {
  readonly name: string;
  readonly ms: number;
}

export interface SessionStages {
  readonly spans: readonly StageSpan[];
  /** Seconds of sleep without detail, which has the code of unknown stages. */
  readonly asleepSeconds: number;
}

const noStages: SessionStages = { spans: [], asleepSeconds: 0 };

/**
 * The stages follow one another from the start of the session. They may run on after its end, last of all out of bed: that part is not
 * the night's. `endMs` null: the session does not state its end.
 */
export function readStages(list: JsonNode, startMs: number, endMs: number | null, quarantined: Quarantined[]): SessionStages {
  if (list.isBlank) return noStages;
  const stages = readEach('sleep_cycle', list, quarantined, (item): Stage => ({
    name: item.at('stage').text(),
    ms: Math.round(item.at('duration').amount()) * 1000,
  }));
  // After a stage that cannot be read, the times of the rest are unknown.
  if (stages.length < list.items().length) return noStages;
  const inBed = stages.slice(0, stages.findLastIndex(({ name }) => name !== out) + 1);
  let from = startMs;
  let asleepMs = 0;
  const spans = inBed.flatMap(({ name, ms }): StageSpan[] => {
    const start = from;
    from += ms;
    const end = Math.min(from, endMs ?? from);
    if (asleepNames.has(name) && end > start) asleepMs += end - start;
    return end <= start ? [] : [{ code: codes[name] ?? -1, startMs: start, endMs: end }];
  });
  return { spans: joinStages(spans), asleepSeconds: Math.round(asleepMs / 1000) };
}
