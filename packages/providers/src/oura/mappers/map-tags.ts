import type { OffsetOrigin, Quarantined, Sample } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { app, type OuraContext } from '../oura.ts';

interface Tag {
  readonly startMs: number;
  readonly endMs: number;
  readonly offset: number | null;
  readonly offsetFrom?: OffsetOrigin;
  readonly text: string;
}

/** The user's own name of the tag, else Oura's code, followed by the comment. Empty when there is neither. */
function textOf(item: JsonNode): string {
  const words = (key: string) => item.at(key).optional((node) => node.words().trim()) ?? '';
  return [words('custom_name') || words('tag_type_code'), words('comment')].filter((text) => text !== '').join(': ');
}

/** A tag of a whole day has no time: it begins with its day. */
function readStart(item: JsonNode, day: string, context: OuraContext): Pick<Tag, 'startMs' | 'offset' | 'offsetFrom'> {
  if (!item.at('start_time').isMissing) {
    const { ms, offset } = item.at('start_time').time(parseInstant);
    return { startMs: ms, offset };
  }
  const zone = context.zoneOn(day);
  const { ms, offset } = zone.startOfDay(day);
  return { startMs: ms, offset, offsetFrom: zone.originAt(ms) };
}

function readTag(item: JsonNode, window: PullWindow, context: OuraContext): Tag | undefined {
  item.at('id').id();
  const day = item.at('start_day').day();
  const start = readStart(item, day, context);
  const endMs = item.at('end_time').optional((node) => node.time(parseInstant).ms) ?? start.startMs;
  if (endMs < start.startMs) throw item.at('end_time').fail('bad_time');
  const text = textOf(item);
  return text === '' || !isWithin(day, window) ? undefined : { ...start, endMs, text };
}

/** A note is identified by its start: tags of the same moment are one note, in an order that does not depend on the list. */
function noteOf(tags: readonly [Tag, ...Tag[]]): Sample {
  const [{ startMs, offset, offsetFrom }] = tags;
  const text = tags
    .map((tag) => tag.text)
    .toSorted()
    .join('\n');
  return {
    ts: startMs,
    end: Math.max(...tags.map(({ endMs }) => endMs)),
    value: null,
    timezoneOffset: offset,
    ...(offsetFrom && { offsetFrom }),
    extra: { text, tags: ['unspecified'] },
  };
}

/** All pages of `enhanced_tag`: what the user noted in the app, as notes. */
export function mapTags(bodies: readonly unknown[], window: PullWindow, context: OuraContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const tags = bodies.flatMap((body) =>
    readEach('note', new JsonNode(body).at('data'), quarantined, (item) => readTag(item, window, context)),
  );
  const byStart = [...Map.groupBy(tags, ({ startMs }) => startMs).values()] as [Tag, ...Tag[]][];
  const notes = byStart.map(noteOf).toSorted((a, b) => a.ts - b.ts);
  return { records: context.samples('note', app, notes), quarantined };
}
