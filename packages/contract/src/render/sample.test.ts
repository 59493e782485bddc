import { expect, test } from 'vitest';
import type { Sample } from '../records/records.ts';
import { timeseriesResource } from '../resources/resources.ts';
import { sampleJsonBytesMax } from './sample-bytes.ts';
import { createSampleWriter, renderSampleJson } from './sample-json.ts';
import { renderSample } from './sample.ts';

const ts = Date.UTC(2026, 0, 4, 10);
const reading: Sample = { ts, value: 5.4, timezoneOffset: null };
const timestamp = '2026-01-04T10:00:00+00:00';

test('a point shows no interval, except where its end is known and the contract wants it', () => {
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

test('an interval without a known end ends where it starts', () => {
  expect(renderSample(timeseriesResource('note'), undefined, reading)).toMatchObject({ start: timestamp, end: timestamp });
});

test('a cuff reading has two pressures and no value', () => {
  const wire = renderSample(timeseriesResource('blood_pressure'), undefined, { ...reading, value: 121, value2: 78 });
  expect(wire).toMatchObject({ systolic: 121, diastolic: 78, unit: 'mmHg' });
  expect(wire).not.toHaveProperty('value');
});

test('a note carries its text as the value', () => {
  const note = { ...reading, value: null, extra: { text: 'walk after lunch', tags: ['exercise'] } };
  expect(renderSample(timeseriesResource('note'), undefined, note)).toMatchObject({
    value: 'walk after lunch',
    tags: ['exercise'],
    unit: 'text',
  });
});

test('the type is the sub-kind of the series, or what the provider told, or null', () => {
  expect(renderSample(timeseriesResource('cholesterol'), 'ldl', reading)).toMatchObject({ type: 'ldl' });
  const told = { ...reading, extra: { type: 'elevated' } };
  expect(renderSample(timeseriesResource('sleep_breathing_disturbance'), undefined, told)).toMatchObject({ type: 'elevated' });
  expect(renderSample(timeseriesResource('steps'), undefined, told)).toMatchObject({ type: null });
});

test('extra fields of the contract are there even when empty, and others never leave', () => {
  const insulin = renderSample(timeseriesResource('insulin_injection'), 'rapid_acting', {
    ...reading,
    extra: { delivery_mode: 'bolus', pump: 'x' },
  });
  expect(insulin).toMatchObject({ delivery_mode: 'bolus', delivery_form: null, bolus_purpose: null });
  expect(insulin).not.toHaveProperty('pump');
});

test('one writer serves a whole series', () => {
  const row = timeseriesResource('sleep_breathing_disturbance');
  const write = createSampleWriter(row, undefined);
  for (const type of ['elevated', 'not_elevated']) {
    const sample = { ...reading, extra: { type } };
    expect(write(sample)).toBe(renderSampleJson(row, undefined, sample));
  }
});

test('a value that JSON does not know becomes null', () => {
  expect(renderSampleJson(timeseriesResource('glucose'), undefined, { ...reading, value: Number.NaN })).toContain('"value":null');
});

test('the bound holds for a text of nothing but escaped characters', () => {
  const row = timeseriesResource('note');
  const note = { ...reading, value: null, extra: { text: '\u0001'.repeat(1000) } };
  expect(sampleJsonBytesMax(note, row)).toBeGreaterThan(Buffer.byteLength(renderSampleJson(row, undefined, note)));
});

test('a thousand minutes of steps pass the bound of one event', () => {
  const minute: Sample = { ts, end: ts + 60_000, value: 131, timezoneOffset: 3600 };
  expect(sampleJsonBytesMax(minute, timeseriesResource('steps')) * 1000).toBeLessThan(256 * 1024);
});
