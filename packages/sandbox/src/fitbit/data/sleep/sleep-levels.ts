import { seededRandom } from '../../../model/seeded.ts';

/** A stretch of one level, seconds from the start of the night. */
export interface Stretch {
  readonly level: string;
  readonly startSecond: number;
  readonly seconds: number;
}

export interface Night {
  readonly data: readonly Stretch[];
  /** Wakes of up to three minutes, laid over `data`. */
  readonly shortData: readonly Stretch[];
}

const stages = ['light', 'deep', 'light', 'rem'] as const;
const stageMinutes = { light: [12, 32], deep: [10, 28], rem: [8, 30] } as const;
const unitSeconds = 30;
const shortWakeSecondsMax = 180;

/** A night of stages: as long as recorded, awake as long as recorded; the order of the stages is made up from the seed. */
export function stagesOf(minutesInBed: number, minutesAsleep: number, seed: string): Night {
  const random = seededRandom(seed);
  const awakeSeconds = (minutesInBed - minutesAsleep) * 60;
  const { long, short } = splitWakes(awakeSeconds, minutesInBed * 60, random);
  const asleep = sleepStretches(minutesInBed * 60 - sum(long), random);
  const data = joinUp(withLongWakes(asleep, long));
  return { data, shortData: placeShortWakes(data, short) };
}

/** A night of an older tracker: asleep, with restless and awake moments in `data` itself. */
export function classicOf(minutesInBed: number, minutesAsleep: number, seed: string): Night {
  const random = seededRandom(seed);
  const disturbances: { level: string; seconds: number }[] = [];
  for (let left = minutesInBed - minutesAsleep; left > 0; ) {
    const minutes = Math.min(left, 1 + Math.floor(random() * 5));
    disturbances.push({ level: random() < 0.8 ? 'restless' : 'awake', seconds: minutes * 60 });
    left -= minutes;
  }
  const data: { level: string; seconds: number }[] = [];
  const share = Math.floor(minutesAsleep / (disturbances.length + 1));
  for (const disturbance of disturbances) data.push({ level: 'asleep', seconds: share * 60 }, disturbance);
  data.push({ level: 'asleep', seconds: (minutesAsleep - share * disturbances.length) * 60 });
  return { data: joinUp(data), shortData: [] };
}

// Most of the time awake is short wakes; the rest becomes long ones, so that the night is not crowded.
function splitWakes(awakeSeconds: number, nightSeconds: number, random: () => number): { long: number[]; short: number[] } {
  let longTotal = awakeSeconds > nightSeconds * 0.15 ? awakeSeconds - Math.floor((nightSeconds * 0.05) / 60) * 60 : Math.floor((awakeSeconds * 0.4) / 60) * 60;
  if (longTotal <= shortWakeSecondsMax) longTotal = 0;
  const pieces = longTotal > 1200 ? 3 : 1;
  const long = Array.from({ length: longTotal > 0 ? pieces : 0 }, () => Math.floor(longTotal / pieces / unitSeconds) * unitSeconds);
  if (long.length > 0) long[0] = longTotal - sum(long.slice(1));
  const short: number[] = [];
  for (let left = awakeSeconds - longTotal; left > 0; ) {
    const seconds = Math.min(left, unitSeconds * (1 + Math.floor(random() * (shortWakeSecondsMax / unitSeconds))));
    short.push(seconds);
    left -= seconds;
  }
  return { long, short };
}

function sleepStretches(totalSeconds: number, random: () => number): { level: string; seconds: number }[] {
  const stretches: { level: string; seconds: number }[] = [];
  for (let left = totalSeconds, index = 0; left > 0; index++) {
    const level = stages[index % stages.length] as 'light' | 'deep' | 'rem';
    const [low, high] = stageMinutes[level];
    const wanted = Math.round(((low + random() * (high - low)) * 60) / unitSeconds) * unitSeconds;
    // A remainder too short to be a stage of its own lengthens the last one.
    const seconds = left - wanted < 240 ? left : wanted;
    stretches.push({ level, seconds });
    left -= seconds;
  }
  return stretches;
}

function withLongWakes(asleep: { level: string; seconds: number }[], long: readonly number[]): { level: string; seconds: number }[] {
  const result = [...asleep];
  long.forEach((seconds, place) => {
    const position = Math.ceil(((place + 1) * result.length) / (long.length + 1));
    result.splice(position, 0, { level: 'wake', seconds });
  });
  return result;
}

function joinUp(pieces: readonly { level: string; seconds: number }[]): Stretch[] {
  let startSecond = 0;
  return pieces.filter((piece) => piece.seconds > 0).map((piece) => {
    const stretch = { ...piece, startSecond };
    startSecond += piece.seconds;
    return stretch;
  });
}

// Distributed in rotation over the stretches asleep, a minute apart, each entirely inside one stretch.
function placeShortWakes(data: readonly Stretch[], wakes: readonly number[]): Stretch[] {
  const rooms = data.filter((stretch) => stretch.level !== 'wake').map((stretch) => ({ nextSecond: stretch.startSecond + 60, endSecond: stretch.startSecond + stretch.seconds }));
  const placed: Stretch[] = [];
  wakes.forEach((seconds, index) => {
    for (let tried = 0; tried < rooms.length; tried++) {
      const room = rooms[(index * 3 + tried) % rooms.length];
      if (!room || room.nextSecond + seconds > room.endSecond) continue;
      placed.push({ level: 'wake', startSecond: room.nextSecond, seconds });
      room.nextSecond += seconds + 60;
      return;
    }
  });
  return placed.sort((a, b) => a.startSecond - b.startSecond);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
