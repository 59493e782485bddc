import type { Sample } from '../records/records.ts';
import type { TimeseriesResource } from '../resources/types.ts';
import { renderDateTime } from './date-time.ts';

// JSON has no NaN and no infinity; JSON.stringify writes null for them, and so does this.
function numberText(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? 'null' : `${value}`;
}

function anyText(value: unknown): string {
  return value === undefined || value === null ? 'null' : JSON.stringify(value);
}

/** The parts of a sample: numbers as JSON texts, times in milliseconds since the epoch. */
type WriteParts = (
  ts: number,
  end: number | null,
  timezoneOffset: string,
  value: string,
  value2: string,
  extra: Readonly<Record<string, unknown>> | null,
) => string;

type ValueWriter = (value: string, value2: string, extra: Readonly<Record<string, unknown>> | null) => string;

const valueWriters: Readonly<Record<TimeseriesResource['valueForm'], ValueWriter>> = {
  pressure: (value, value2) => `"systolic":${value},"diastolic":${value2}`,
  text: (_value, _value2, extra) => `"value":${anyText(extra?.['text'])}`,
  number: (value) => `"value":${value}`,
};

/** As `createSampleWriter`, from the parts of a sample, so that no object is needed for each. */
export function createPartsWriter(row: TimeseriesResource, subKind: string | undefined): WriteParts {
  const writeValue = valueWriters[row.valueForm];
  const unit = `,"unit":${JSON.stringify(row.unit)},`;
  const isOptional = row.subKinds?.presence === 'optional';
  const sharedType = `,"type":${anyText(row.subKinds === null ? null : subKind)}${unit}`;
  const extras = row.extraFields.map(({ name }) => ({ name, key: `,${JSON.stringify(name)}:` }));
  // Successive samples mostly have the same offset.
  let lastOffset = '';
  let lastMiddle = '';
  const middleOf = (timezoneOffset: string) => {
    if (timezoneOffset !== lastOffset) {
      lastOffset = timezoneOffset;
      lastMiddle = `,"timezone_offset":${timezoneOffset}${sharedType}`;
    }
    return lastMiddle;
  };

  return (ts, end, timezoneOffset, value, value2, extra) => {
    const timestamp = renderDateTime(ts);
    const interval =
      row.shape === 'interval' || (row.showsKnownEnd && end !== null)
        ? `,"start":"${timestamp}","end":"${end === null ? timestamp : renderDateTime(end)}"`
        : '';
    const middle = isOptional ? `,"timezone_offset":${timezoneOffset},"type":${anyText(extra?.['type'])}${unit}` : middleOf(timezoneOffset);
    let text = `{"id":null,"timestamp":"${timestamp}"${interval}${middle}${writeValue(value, value2, extra)}`;
    for (const { name, key } of extras) text += key + anyText(extra?.[name]);
    return `${text}}`;
  };
}

/**
 * Returns a function that renders samples of this series as JSON: the same text that
 * `JSON.stringify(renderSample(…))` returns, but several times faster, because the common parts are rendered once.
 */
export function createSampleWriter(row: TimeseriesResource, subKind: string | undefined): (sample: Sample) => string {
  const write = createPartsWriter(row, subKind);
  return ({ ts, end, timezoneOffset, value, value2, extra }) =>
    write(ts, end ?? null, numberText(timezoneOffset), numberText(value), numberText(value2), extra ?? null);
}

/** The JSON text of one sample. For many samples use `createSampleWriter`. */
export function renderSampleJson(row: TimeseriesResource, subKind: string | undefined, sample: Sample): string {
  return createSampleWriter(row, subKind)(sample);
}
