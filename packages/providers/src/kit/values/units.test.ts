import { describe, expect, it } from 'vitest';
import { factorTo, toCelsius } from './units.ts';

describe('converts every unit that HealthKit writes', () => {
  it.each([
    ['m', 'yd', 0.9144],
    ['m', 'km', 1000],
    ['m', 'mi', 1609.344],
    ['m', 'ft', 0.3048],
    ['m', 'in', 0.0254],
    ['m', 'cm', 0.01],
    ['mL', 'fl_oz_imp', 28.4130625],
    ['mL', 'fl_oz_us', 29.5735295625],
    ['mL', 'cup_us', 236.5882365],
    ['mL', 'cup_imp', 284.130625],
    ['mL', 'pt_us', 473.176473],
    ['mL', 'pt_imp', 568.26125],
    ['mL', 'L', 1000],
    ['mL', 'dL', 100],
    ['mL', 'l', 1000],
    ['kg', 'oz', 0.028349523125],
    ['kg', 'lb', 0.45359237],
    ['kg', 'st', 6.35029318],
    ['kg', 'g', 0.001],
    ['g', 'mcg', 1e-6],
    ['g', 'µg', 1e-6],
    ['kcal', 'Cal', 1],
    ['kcal', 'cal', 0.001],
    ['kcal', 'kJ', 1 / 4.184],
    ['kcal', 'J', 1 / 4184],
    ['mmHg', 'kPa', 7.50061561],
    ['mmHg', 'cmAq', 0.73555911],
    ['mmHg', 'inHg', 25.4],
    ['ms', 's', 1000],
    ['min', 'hr', 60],
    ['min', 'd', 1440],
    ['count/min', 'count/s', 60],
    ['count/min', 'bpm', 1],
    ['count/min', 'breaths/min', 1],
    ['count/min', 'Hz', 60],
    ['m/s', 'km/hr', 1 / 3.6],
    ['m/s', 'mi/hr', 0.44704],
    ['m/s', 'ft/s', 0.3048],
    ['L/min', 'L/s', 60],
    ['mL/min·kg', 'ml/(kg*min)', 1],
    ['mL/min·kg', 'mL/kg/min', 1],
    ['mL/min·kg', 'mL/min.kg', 1],
    ['mg/dL', 'mg/dL', 1],
    ['mmol/L', 'mmol<180.1558800000541>/L', 1],
    ['W', 'kW', 1000],
    ['kg', 'KG', 1],
    ['%', 'count', 100],
  ])('converts values to %s from %s', (target, unit, factor) => {
    expect(factorTo(target, unit)).toBeCloseTo(factor, 6);
  });
});

it.each([
  ['m', 'furlong'],
  ['m', 'kg'],
  ['kg', ''],
  ['count/min', 'count'],
  ['m', 'constructor'],
  ['m', 'm^m'],
  ['m', '/'],
])('gives no factor to %s from %j', (target, unit) => {
  expect(factorTo(target, unit)).toBeNull();
});

it.each([
  [310.15, 'K', 37],
  [98.6, 'degF', 37],
  [37, 'degC', 37],
  [37, '°C', 37],
])('reads %f %s as a temperature', (value, unit, celsius) => {
  expect(toCelsius(value, unit)).toBeCloseTo(celsius, 6);
});

it('reads differences of temperatures without their zero, and no other units as temperatures', () => {
  expect([toCelsius(0.9, 'degF', true), toCelsius(0.3, 'K', true), toCelsius(1, 'furlong')]).toEqual([0.5, 0.3, null]);
});
