import { describe, expect, it } from 'vitest';
import { readTcx } from './tcx.ts';

const file = (...points: string[]) =>
  `<?xml version="1.0"?><TrainingCenterDatabase xmlns="x"><Activities><Activity><Lap><Track>${points.join('')}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`;
const whole = `<Trackpoint><Time>2026-03-11T16:12:00.000Z</Time><Position><LatitudeDegrees>52.5</LatitudeDegrees><LongitudeDegrees>-13.4</LongitudeDegrees></Position>
  <AltitudeMeters>31.5</AltitudeMeters><DistanceMeters>12.25</DistanceMeters><HeartRateBpm xsi:type="x"><Value>120</Value></HeartRateBpm><Cadence>84</Cadence>
  <Extensions><ns3:TPX><ns3:Speed>2.9</ns3:Speed><ns3:Watts>210</ns3:Watts></ns3:TPX></Extensions></Trackpoint>`;

describe('readTcx', () => {
  it('reads every field of a point, in any namespace', () => {
    expect(readTcx(file(whole))).toEqual([
      { time: 1_773_245_520, lat: 52.5, lng: -13.4, altitude: 31.5, distance: 12.25, heartrate: 120, cadence: 84, power: 210, speed: 2.9 },
    ]);
  });

  it('sorts points, keeps one per second, and skips unreadable ones', () => {
    const point = (time: string, metres: string) =>
      `<Trackpoint><Time>${time}</Time><DistanceMeters>${metres}</DistanceMeters></Trackpoint>`;
    const points = readTcx(
      file(
        point('2026-03-11T16:12:02Z', '2'),
        point('never', '9'),
        point('2026-03-11T16:12:01Z', '1'),
        point('2026-03-11T16:12:02.900Z', 'x'),
      ),
    );
    expect(points?.map(({ time, distance, heartrate }) => [time % 60, distance, heartrate])).toEqual([
      [1, 1, null],
      [2, 2, null],
    ]);
  });

  it('merges points of one second, each of which states other values', () => {
    const at = (content: string) => `<Trackpoint><Time>2026-05-14T10:00:00Z</Time>${content}</Trackpoint>`;
    const points = readTcx(file(at('<HeartRateBpm><Value>120</Value></HeartRateBpm>'), at('<DistanceMeters>5</DistanceMeters>')));
    expect(points).toMatchObject([{ heartrate: 120, distance: 5 }]);
  });

  it('has no place at 180 degrees south', () => {
    const place = '<LatitudeDegrees>-180</LatitudeDegrees><LongitudeDegrees>-180</LongitudeDegrees>';
    const points = readTcx(file(`<Trackpoint><Time>2026-05-14T10:00:00Z</Time><Position>${place}</Position></Trackpoint>`));
    expect(points).toMatchObject([{ lat: null, lng: null }]);
  });

  it('keeps the points before the end of a truncated or malformed file', () => {
    const text = file(whole, whole.replace('16:12:00', '16:12:09'));
    expect(readTcx(text.slice(0, -200))).toHaveLength(1);
    expect(readTcx(text.replace('</ns3:TPX></Extensions></Trackpoint></Track>', '</wrong></Track>'))).toHaveLength(1);
  });

  it('keeps the points before elements that are nested without end', () => {
    const other = '<Trackpoint><Time>2026-03-11T16:12:02Z</Time></Trackpoint>';
    expect(readTcx(`<TrainingCenterDatabase>${other}${'<Track>'.repeat(70)}${other}`)).toHaveLength(1);
  });

  it('expands no declared entity', () => {
    const declared = `<!DOCTYPE x [<!ENTITY a "1"><!ENTITY b "&a;&a;">]>`;
    const point = `<Trackpoint><Time>2026-03-11T16:12:02Z</Time><DistanceMeters>&b;</DistanceMeters></Trackpoint>`;
    expect(readTcx(`${declared}<TrainingCenterDatabase>${point}</TrainingCenterDatabase>`)).toEqual([]);
  });

  it('reads truncated and hostile files in linear time', () => {
    expect(readTcx('<html>maintenance</html>')).toBeUndefined();
    expect(readTcx(`<TrainingCenterDatabase>${'<Trackpoint><Time>'.repeat(200_000)}`)).toEqual([]);
    expect(readTcx(file(whole).slice(0, -200))).toEqual([]);
    expect(readTcx(`<TrainingCenterDatabase><Trackpoint ${'a="b" '.repeat(200_000)}`)).toEqual([]);
    expect(readTcx(`<TrainingCenterDatabase><!DOCTYPE ${'['.repeat(1_000_000)}`)).toEqual([]);
  });
});
