import type { Person } from '../kit/person/person.ts';
import type { Workout } from '../kit/person/types.ts';

/** A workout as Peloton has it; without the person's figures for a meditation, and for one in progress. */
export interface Session {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly isUnderWay: boolean;
  readonly workout: Workout | null;
}

/** One in two persons has miles and feet. */
export const isImperial = ({ sex }: Person): boolean => sex === 'female';

/** Selects the variant of a workout, so that variety depends only on the workout. */
export const dayNumberOf = ({ startMs }: Session): number => Math.floor(startMs / 86_400_000);
