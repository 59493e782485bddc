import type { Sql } from '@pulsewire/database';

/** Slightly less than the miles in a degree of latitude, so that the box always contains the circle (up to 71 degrees and 100 miles). */
const milesPerDegree = 69;
const earthRadiusMiles = 3958.7613;

export interface Circle {
  readonly lat: number;
  readonly lng: number;
  readonly miles: number;
}

/** The bounds of the square around a circle. */
export function boxOf({ lat, lng, miles }: Circle) {
  const dLat = miles / milesPerDegree;
  const dLng = miles / (milesPerDegree * Math.cos((lat * Math.PI) / 180));
  return { south: lat - dLat, north: lat + dLat, west: lng - dLng, east: lng + dLng };
}

/** Great-circle miles from the middle of the circle to the columns `lat` and `lng` of `c`. */
export function milesFrom(sql: Sql, { lat, lng }: Pick<Circle, 'lat' | 'lng'>) {
  return sql`(2 * ${earthRadiusMiles}::float8 * asin(sqrt(least(1,
    power(sin(radians(c.lat - ${lat}::float8) / 2), 2)
    + cos(radians(${lat}::float8)) * cos(radians(c.lat)) * power(sin(radians(c.lng - ${lng}::float8) / 2), 2)))))`;
}
