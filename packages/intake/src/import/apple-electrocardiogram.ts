import { StringDecoder } from 'node:string_decoder';
import { offsetOf, timeOf } from './apple-items.ts';
import type { ExportItem } from './export-batch.ts';
import { BadFileError } from './read-file.ts';

/** A recording of half a minute has 15,360. */
const voltagesMax = 200_000;
const headersMax = 50;
const lineMax = 1000;

const number = /^-?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;
const recorded = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} [+-]\d{4}$/;
/** `512.41 hertz`; the word is translated. */
const rate = /^(\d{2,4}(?:[.,]\d+)?)\s*\p{L}/u;
const version = /^\d+(?:[.,]\d+)+$/;
const model = /^Watch\d+,\d+$/;
const millivoltsPer: Readonly<Record<string, number>> = { µV: 0.001, μV: 0.001, uV: 0.001, mcV: 0.001, mV: 1, V: 1000 };

const toNumber = (text: string) => Number(text.replace(',', '.'));
const unquoted = (text: string) => text.trim().replace(/^"(.*)"$/, '$1');

/** Words are translated, so those of the larger languages are known by their stems. Others are no classification. */
const classifications: readonly (readonly [pattern: RegExp, classification: string, cause: string | null])[] = [
  [/sinus/i, 'sinus_rhythm', null],
  [/fibril|vorhofflimmern/i, 'atrial_fibrillation', null],
  [/(?:heart rate over|high heart rate)/i, 'inconclusive', 'high_heart_rate'],
  [/(?:heart rate under|low heart rate)/i, 'inconclusive', 'low_heart_rate'],
  [/poor (?:recording|reading)/i, 'inconclusive', 'poor_reading'],
  [/inconclusive|inconclus/i, 'inconclusive', null],
];

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(Buffer.from(chunk))).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > lineMax) throw new BadFileError('not an electrocardiogram');
    yield* lines;
  }
  yield rest + decoder.end();
}

/** The values of the lines before the voltages; keys are translated and not used. */
function itemOf(values: readonly string[], voltages: readonly number[]): ExportItem {
  const first = (pattern: RegExp) => values.find((value) => pattern.test(value));
  const start = timeOf(first(recorded));
  const frequency = values.flatMap((value) => rate.exec(value)?.[1] ?? []).at(-1);
  const perUnit = values.flatMap((value) => millivoltsPer[value] ?? []).at(-1) ?? 0.001;
  if (start === null || frequency === undefined || voltages.length === 0) throw new BadFileError('not an electrocardiogram');
  // The first line is the person's name.
  const verdicts = values.slice(1).map((value) => classifications.find(([pattern]) => pattern.test(value)));
  const [, classification = null, inconclusiveCause = null] = verdicts.find((verdict) => verdict !== undefined) ?? [];
  const deviceModel = first(model) ?? null;
  return {
    id: null,
    startDate: start,
    endDate: null,
    zoneOffset: offsetOf(start),
    source: { appId: 'com.apple.health', deviceModel, deviceType: deviceModel === null ? 'watch' : null },
    metadata: null,
    frequency: toNumber(frequency),
    classification,
    inconclusiveCause,
    algorithmVersion: first(version) ?? null,
    voltages: voltages.map((voltage) => voltage * perUnit),
  };
}

/** A CSV file of Apple Health: lines of a key and a value, then one voltage per line, with the decimal separator of the phone's language. */
export async function readElectrocardiogram(chunks: AsyncIterable<Uint8Array>): Promise<ExportItem> {
  const values: string[] = [];
  const voltages: number[] = [];
  for await (const line of linesOf(chunks)) {
    const text = unquoted(line);
    if (number.test(text)) voltages.push(toNumber(text));
    else if (text !== '' && voltages.length > 0) throw new BadFileError('a line among the voltages is no number');
    else if (text !== '') values.push(unquoted(line.slice(line.indexOf(',') + 1)));
    if (voltages.length > voltagesMax || values.length > headersMax) throw new BadFileError('not an electrocardiogram');
  }
  return itemOf(values, voltages);
}
