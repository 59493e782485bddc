import type { Sample } from '../records/records.ts';
import type { TimeseriesResource } from '../resources/types.ts';
import { renderDateTime } from './date-time.ts';
import { sampleType, showsInterval } from './sample.ts';

// JSON has no NaN and no infinity; JSON.stringify writes null for them, and so does this.
function numberText(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? 'null' : `${value}`;
}

function anyText(value: unknown): string {
  return value === undefined || value === null ? 'null' : JSON.stringify(value);
}

function valueWriter(row: TimeseriesResource): (sample: Sample) => string {
  switch (row.valueForm) {
    case 'pressure':
      return (sample) => `"systolic":${numberText(sample.value)},"diastolic":${numberText(sample.value2)}`;
    case 'text':
      return (sample) => `"value":${anyText(sample.extra?.['text'])}`;
    case 'number':
      return (sample) => `"value":${numberText(sample.value)}`;
  }
}

/**
 * Returns a function that renders samples of this series as JSON: the same text that
 * `JSON.stringify(renderSample(…))` returns, but several times faster, because the common parts are rendered once.
 */
export function createSampleWriter(row: TimeseriesResource, subKind: string | undefined): (sample: Sample) => string {
  const writeValue = valueWriter(row);
  const unit = `,"unit":${JSON.stringify(row.unit)},`;
  const sharedType = row.subKinds?.presence === 'optional' ? null : `,"type":${anyText(row.subKinds === null ? null : subKind)}${unit}`;
  const extras = row.extraFields.map(({ name }) => ({ name, key: `,${JSON.stringify(name)}:` }));

  return (sample) => {
    const timestamp = renderDateTime(sample.ts);
    let text = `{"id":null,"timestamp":"${timestamp}"`;
    if (showsInterval(row, sample)) text += `,"start":"${timestamp}","end":"${renderDateTime(sample.end ?? sample.ts)}"`;
    text += `,"timezone_offset":${numberText(sample.timezoneOffset)}`;
    text += sharedType ?? `,"type":${anyText(sampleType(row, subKind, sample))}${unit}`;
    text += writeValue(sample);
    for (const { name, key } of extras) text += key + anyText(sample.extra?.[name]);
    return `${text}}`;
  };
}

/** The JSON text of one sample. For many samples use `createSampleWriter`. */
export function renderSampleJson(row: TimeseriesResource, subKind: string | undefined, sample: Sample): string {
  return createSampleWriter(row, subKind)(sample);
}
