/** `metric` when the request names no language or another one; `en_US` means miles, feet, pounds, fluid ounces and degrees Fahrenheit. */
export type Units = 'metric' | 'en_US';

/** Reads `Accept-Language`. */
export function unitsOf(acceptLanguage: string | undefined): Units {
  return /^\s*en[_-]US\b/i.test(acceptLanguage ?? '') ? 'en_US' : 'metric';
}

export const toDistance = (km: number, units: Units) => (units === 'en_US' ? km * 0.621371 : km);
export const toElevation = (metres: number, units: Units) => (units === 'en_US' ? metres * 3.28084 : metres);
export const toWeight = (kg: number, units: Units) => (units === 'en_US' ? kg * 2.204623 : kg);
export const toHeight = (cm: number, units: Units) => (units === 'en_US' ? cm / 2.54 : cm);
export const toTemperatureDelta = (celsius: number, units: Units) => (units === 'en_US' ? celsius * 1.8 : celsius);

/** `value` with at most `digits` decimals. */
export function round(value: number, digits = 2): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
