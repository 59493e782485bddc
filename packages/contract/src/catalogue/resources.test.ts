import { expect, test } from 'vitest';
import { allEventTypes, findLifecycleEvent, isEventType, isOperationalEvent } from '../events/event-types.ts';
import { eventFamilies, findEventSchema } from '../events/events.ts';
import {
  dailyEventType,
  findResource,
  historicalEventType,
  resources,
  summaryResource,
  timeseriesResource,
} from '../resources/resources.ts';

// A literal copy of the names that clients know, so that none can be lost or renamed unnoticed.
const publishedNames =
  'profile, activity, sleep, body, workouts, workout_stream, connection, order, result, match_review, appointment, glucose, heartrate, hrv, ige, igg, blood_oxygen, blood_pressure, cholesterol, device, device_legacy, weight, fat, body_temperature, body_temperature_delta, meal, water, caffeine, mindfulness_minutes, steps, calories_active, distance, floors_climbed, respiratory_rate, vo2_max, calories_basal, stress_level, menstrual_cycle, sleep_cycle, electrocardiogram, electrocardiogram_voltage, afib_burden, heart_rate_alert, stand_hour, stand_duration, sleep_apnea_alert, sleep_breathing_disturbance, wheelchair_push, forced_expiratory_volume_1, forced_vital_capacity, peak_expiratory_flow_rate, inhaler_usage, fall, uv_exposure, daylight_exposure, handwashing, basal_body_temperature, heart_rate_recovery_one_minute, body_mass_index, lean_body_mass, waist_circumference, workout_distance, workout_swimming_stroke, workout_duration, insulin_injection, carbohydrates, note, sleep_stream, hypnogram'.split(
    ', ',
  );

test('contains exactly the published resource names, each once', () => {
  expect(resources.map(({ name }) => name).toSorted()).toEqual(publishedNames.toSorted());
});

test('has 60 resources with the event pattern, and hypnogram with its three old types', () => {
  const patterned = resources.filter(({ name, events }) => events?.created === `daily.data.${name}.created`);
  expect(patterned).toHaveLength(60);
  for (const { name } of patterned) {
    expect(dailyEventType(name, 'updated')).toBe(`daily.data.${name}.updated`);
    expect(historicalEventType(name)).toBe(`historical.data.${name}.created`);
  }
  expect(timeseriesResource('hypnogram').events).toEqual({
    created: 'daily.timeseries.hypnogram.created',
    updated: 'daily.timeseries.hypnogram.updated',
    historical: 'historical.timeseries.hypnogram.created',
  });
  expect(resources.filter(({ isDeprecated }) => isDeprecated).map(({ name }) => name)).toEqual(['hypnogram']);
});

test('includes a sub-kind in the identity of exactly seven series', () => {
  const keyed = resources.filter((row) => row.kind === 'timeseries' && row.subKinds?.presence === 'required');
  expect(keyed.map(({ name }) => name).toSorted()).toEqual(
    ['cholesterol', 'electrocardiogram_voltage', 'heart_rate_alert', 'ige', 'igg', 'insulin_injection', 'stand_hour'].toSorted(),
  );
});

test('fails with a stable code when a resource is not of the requested kind', () => {
  expect(() => timeseriesResource('sleep')).toThrow(expect.objectContaining({ code: 'not_a_timeseries' }));
  expect(() => summaryResource('steps')).toThrow(expect.objectContaining({ code: 'not_a_summary' }));
  expect(() => dailyEventType('order', 'created')).toThrow(expect.objectContaining({ code: 'resource_without_events' }));
  expect(() => historicalEventType('nothing')).toThrow(expect.objectContaining({ code: 'resource_without_events' }));
  expect(findResource('nothing')).toBeUndefined();
});

test('has unique event types, each with a schema', () => {
  const types = allEventTypes();
  expect(new Set(types).size).toBe(types.length);
  const without = types.filter((type) => findEventSchema(type) === undefined);
  expect(without).toEqual([]);
  const described = eventFamilies.flatMap(({ eventTypes }) => eventTypes);
  expect(new Set(described).size).toBe(described.length);
  expect(described.every(isEventType)).toBe(true);
});

test('omits the user from operational events and match reviews', () => {
  const operational = allEventTypes().filter(isOperationalEvent);
  expect(operational).toEqual(['message.attempt.exhausted', 'endpoint.failing', 'endpoint.disabled', 'endpoint.enabled']);
  const withoutUser = allEventTypes().filter((type) => findLifecycleEvent(type)?.hasUser === false);
  expect(withoutUser).toEqual(['labtest.match_review.created', 'labtest.match_review.updated', ...operational]);
});
