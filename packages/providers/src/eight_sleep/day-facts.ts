import type { JsonNode } from '../kit/values/json-node.ts';
import { figureOf } from './read-reading.ts';

/** Figures of a day that belong to one of its sessions; null: unknown. */
export interface SessionFigures {
  readonly score: number | null;
  /** Beats per minute. */
  readonly heartRate: number | null;
  /** ms. */
  readonly hrv: number | null;
  /** Breaths per minute. */
  readonly respiratoryRate: number | null;
  /** Seconds. */
  readonly latency: number | null;
}

const unknownFigures: SessionFigures = { score: null, heartRate: null, hrv: null, respiratoryRate: null, latency: null };

export interface DayFacts {
  readonly day: string;
  /** Figures may still change. */
  readonly isTentative: boolean;
  figuresOf(sessionId: string): SessionFigures;
}

const positive = (value: number | null): number | null => (value === null || value <= 0 ? null : value);

/**
 * The facts in a day about its sessions. `scores` is the same day of a response with scores, which may be another than the one with
 * sessions. The day's figures are those of the main session; they do not apply to the others.
 */
export function readDayFacts(day: JsonNode, scores: JsonNode, sessionIds: readonly string[]): DayFacts {
  const only = sessionIds.length === 1 ? sessionIds[0] : undefined;
  const main = (day.at('mainSessionId').value ?? scores.at('mainSessionId').value ?? only) as unknown;
  const current = (...path: readonly string[]) => positive(figureOf(path.reduce((node, key) => node.at(key), scores).at('current')));
  // Older responses have another name for the same group.
  const score = positive(figureOf(scores.at('score'))) ?? positive(figureOf(scores.at('sleepFitnessScore').at('total')));
  const latency = current('sleepRoutineScore', 'latencyAsleepSeconds') ?? current('sleepFitnessScore', 'latencyAsleepSeconds');
  const figures: SessionFigures = {
    score,
    heartRate: current('sleepQualityScore', 'heartRate'),
    hrv: current('sleepQualityScore', 'hrv'),
    respiratoryRate: current('sleepQualityScore', 'respiratoryRate'),
    latency: only === undefined ? null : latency,
  };
  return {
    day: day.at('day').day(),
    isTentative: day.at('processing').value === true || day.at('incomplete').value === true,
    figuresOf: (sessionId) => (String(main) === sessionId ? figures : unknownFigures),
  };
}
