import { between, seededRandom, unitOf } from '../../model/seeded.ts';
import type { Account } from '../accounts/types.ts';

/*
 * Electrocardiograms and alerts of an irregular rhythm. No volunteer recorded any: all of it is made up, the same for an account and
 * date every time. Nothing may be concluded from it.
 */

interface EcgReading {
  /** Local, without offset. */
  readonly startTime: string;
  readonly averageHeartRate: number;
  readonly resultClassification: string;
  readonly waveformSamples: readonly number[];
  readonly samplingFrequencyHz: string;
  readonly scalingFactor: number;
  readonly numberOfWaveformSamples: number;
  readonly leadNumber: number;
  readonly featureVersion: string;
  readonly deviceName: string;
  readonly firmwareVersion: string;
}

interface RhythmAlert {
  readonly alertTime: string;
  readonly detectedTime: string;
  readonly serviceVersion: string;
  readonly algoVersion: string;
  readonly deviceType: string;
  readonly data: readonly { readonly dateTime: string; readonly tachogram: readonly number[] }[];
}

const hertz = 250;
// Half a minute is what a watch records; two seconds show the same and keep responses small.
const seconds = 2;
const classifications = ['Normal Sinus Rhythm', 'Normal Sinus Rhythm', 'Inconclusive: High heart rate', 'Atrial Fibrillation'];
const ecgShare = 1 / 3;
const alertShare = 1 / 12;

/** A beat a second: a sharp spike on a little noise. */
function waveform(seed: string): number[] {
  const noise = seededRandom(seed);
  return Array.from({ length: hertz * seconds }, (_, place) => Math.round((place % hertz < 6 ? 9000 : 0) + noise() * 400 - 200));
}

/** On every third day, at ten in the morning. */
export function ecgsOf(account: Account, date: string): EcgReading[] {
  const seed = `ecg:${account.ownerId}:${date}`;
  const startMs = account.zone.toInstant(date, 10 * 3600);
  if (unitOf(seed) >= ecgShare || startMs + seconds * 1000 > account.syncedMs()) return [];
  const waveformSamples = waveform(seed);
  return [
    {
      startTime: account.zone.localText(startMs),
      averageHeartRate: between(`bpm:${seed}`, 58, 90),
      resultClassification: classifications[between(`class:${seed}`, 0, classifications.length - 1)] ?? '',
      waveformSamples,
      samplingFrequencyHz: String(hertz),
      scalingFactor: 10_922,
      numberOfWaveformSamples: waveformSamples.length,
      leadNumber: 1,
      featureVersion: '1.2.3-2.11-2.14',
      deviceName: 'Sense',
      firmwareVersion: '1.2.3',
    },
  ];
}

/** Sometimes in the night; listed when the user has looked at it in the morning. */
export function rhythmAlertsOf(account: Account, date: string): RhythmAlert[] {
  const seed = `irn:${account.ownerId}:${date}`;
  const readMs = account.zone.toInstant(date, 8 * 3600);
  if (unitOf(seed) >= alertShare || readMs > account.syncedMs()) return [];
  const detectedTime = account.zone.localText(account.zone.toInstant(date, 4 * 3600));
  return [
    {
      alertTime: account.zone.localText(readMs),
      detectedTime,
      serviceVersion: '2.2',
      algoVersion: '1.6',
      deviceType: 'Sense',
      data: [{ dateTime: detectedTime, tachogram: [900, 640, 1010, 720] }],
    },
  ];
}
