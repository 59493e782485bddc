import { intakeItemsMax, type Intake, type IntakeItem } from '@pulsewire/contract';
import { sportOf } from '@pulsewire/providers';

/** A failing field of a body, by its keys and list indexes. */
export interface IntakeFault {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
}

const spans = [
  ['start', 'end'],
  ['timestamp', 'end'],
  ['bedtime_start', 'bedtime_stop'],
  ['time_start', 'time_end'],
  ['session_start', 'session_end'],
  ['period_start', 'period_end'],
] as const;
const stages = ['stage_start_offset_second', 'stage_end_offset_second', 'stage_type'] as const;

function faultsOf(item: IntakeItem): [key: string, msg: string][] {
  const faults: [string, string][] = [];
  for (const [start, end] of spans)
    if (item[start] !== undefined && item[end] != null && Date.parse(item[end] as string) < Date.parse(item[start] as string))
      faults.push([end, `Must not be before ${start}`]);
  const [first, ...others] = stages.map((key) => item[key] as readonly unknown[] | undefined);
  for (const [index, list] of others.entries())
    if (list && list.length !== first?.length) faults.push([stages[index + 1] as string, `Must be as long as ${stages[0]}`]);
  const { sport } = item;
  if (typeof sport === 'string' && sportOf(sport).slug !== sport) faults.push(['sport', 'Must be the slug of a known sport']);
  return faults;
}

/** Every problem between individually valid fields of a body, in order. */
export function checkIntake({ samples = {}, summaries = {} }: Intake): IntakeFault[] {
  const lists = Object.entries({ samples, summaries }).flatMap(([part, byName]) =>
    Object.entries(byName).map(([name, items]) => ({ loc: [part, name], items })),
  );
  const count = lists.reduce((sum, { items }) => sum + items.length, 0);
  if (count === 0) return [{ loc: [], msg: 'Must contain at least one sample or summary', input: null }];
  if (count > intakeItemsMax) return [{ loc: [], msg: `Must contain at most ${intakeItemsMax} samples and summaries`, input: null }];
  const hypnogram = { loc: ['samples', 'hypnogram'], msg: 'Derived from sleep cycles; send those as summaries', input: null };
  const refused = samples['hypnogram'] === undefined ? [] : [hypnogram];
  const faults = lists.flatMap(({ loc, items }) =>
    items.flatMap((item, index) => faultsOf(item).map(([key, msg]) => ({ loc: [...loc, index, key], msg, input: item[key] }))),
  );
  return [...refused, ...faults];
}
