import { expect, test } from 'vitest';
import type { Sample } from '../records/records.ts';
import { timeseriesResource } from '../resources/resources.ts';
import { sampleJsonBytesMax } from './sample-bytes.ts';
import { createSampleWriter, renderSampleJson } from './sample-json.ts';
import { renderSample } from './sample.ts';

const ts = Date.UTC(2026, 0, 4, 10);
const reading: Sample = { ts, value: 5.4, timezoneOffset: null };
const timestamp = '2026-01-04T10:00:00+00:00';

test('renders a point without an interval, unless its end is known and the contract requires it', () => {
  const ended = { ...reading, end: ts + 60_000 };
  expect(renderSample(timeseriesResource('glucose'), undefined, ended)).toEqual({
    id: null,
    timestamp,
    timezone_offset: null,
    type: null,
    unit: 'mmol/L',
    value: 5.4,
  });
  expect(renderSample(timeseriesResource('water'), undefined, ended)).toMatchObject({ start: timestamp, end: '2026-01-04T10:01:00+00:00' });
  expect(renderSample(timeseriesResource('water'), undefined, reading)).not.toHaveProperty('start');
});

test('ends an interval without a known end at its start', () => {
  expect(renderSample(timeseriesResource('note'), undefined, reading)).toMatchObject({ start: timestamp, end: timestamp });
});

test('renders a blood pressure with two pressures and no value', () => {
  const wire = renderSample(timeseriesResource('blood_pressure'), undefined, { ...reading, value: 121, value2: 78 });
  expect(wire).toMatchObject({ systolic: 121, diastolic: 78, unit: 'mmHg' });
  expect(wire).not.toHaveProperty('value');
});

test('renders the text of a note as its value', () => {
  const note = { ...reading, value: null, extra: { text: 'walk after lunch', tags: ['exercise'] } };
  expect(renderSample(timeseriesResource('note'), undefined, note)).toMatchObject({
    value: 'walk after lunch',
    tags: ['exercise'],
    unit: 'text',
  });
});

test("renders as type the sub-kind of the series, else the provider's type, else null", () => {
  expect(renderSample(timeseriesResource('cholesterol'), 'ldl', reading)).toMatchObject({ type: 'ldl' });
  const told = { ...reading, extra: { type: 'elevated' } };
  expect(renderSample(timeseriesResource('sleep_breathing_disturbance'), undefined, told)).toMatchObject({ type: 'elevated' });
  expect(renderSample(timeseriesResource('steps'), undefined, told)).toMatchObject({ type: null });
});

test('renders extra fields of the contract even when empty, and never any others', () => {
  const insulin = renderSample(timeseriesResource('insulin_injection'), 'rapid_acting', {
    ...reading,
    extra: { delivery_mode: 'bolus', pump: 'x' },
  });
  expect(insulin).toMatchObject({ delivery_mode: 'bolus', delivery_form: null, bolus_purpose: null });
  expect(insulin).not.toHaveProperty('pump');
});

test('renders a whole series with one writer', () => {
  const row = timeseriesResource('sleep_breathing_disturbance');
  const write = createSampleWriter(row, undefined);
  for (const type of ['elevated', 'not_elevated']) {
    const sample = { ...reading, extra: { type } };
    expect(write(sample)).toBe(renderSampleJson(row, undefined, sample));
  }
});

test('renders a value without a JSON number as null', () => {
  expect(renderSampleJson(timeseriesResource('glucose'), undefined, { ...reading, value: Number.NaN })).toContain('"value":null');
});

test('respects the bound for a text of escaped characters only', () => {
  const row = timeseriesResource('note');
  const note = { ...reading, value: null, extra: { text: '\u0001'.repeat(1000) } };
  expect(sampleJsonBytesMax(note, row)).toBeGreaterThan(Buffer.byteLength(renderSampleJson(row, undefined, note)));
});

test('fits a thousand minutes of steps into one event', () => {
  const minute: Sample = { ts, end: ts + 60_000, value: 131, timezoneOffset: 3600 };
  expect(sampleJsonBytesMax(minute, timeseriesResource('steps')) * 1000).toBeLessThan(256 * 1024);
});
