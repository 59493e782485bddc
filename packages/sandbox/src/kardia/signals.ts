import { unitOf } from '../model/seeded.ts';

const frequency = 300;
const nanovoltsPerUnit = 500;
const leadNames = ['leadI', 'leadII', 'leadIII', 'AVR', 'AVL', 'AVF'];

/** A made-up beat in units of the converter: a spike within each period, and a little noise. Not a medical signal. */
function leadOf(key: string, bpm: number, seconds: number, scale: number): number[] {
  const noise = Array.from({ length: 97 }, (_, place) => unitOf(`${key}|${place}`) * 60 - 30);
  const period = Math.round((frequency * 60) / bpm);
  return Array.from({ length: Math.round(seconds * frequency) }, (_, place) => {
    const phase = place % period;
    const beat = phase < 12 ? [120, 420, 900, 1400, 700, -260, -380, -120, 40, 90, 60, 20][phase] : 0;
    return Math.round(((beat ?? 0) + (noise[place % 97] ?? 0)) * scale);
  });
}

/** The signal of a recording in the present form. */
export function signalOf(key: string, bpm: number, seconds: number, leads: 1 | 6): object {
  const names = leadNames.slice(0, leads);
  const samples = Object.fromEntries(names.map((name, place) => [name, leadOf(`${key} ${name}`, bpm, seconds, 1 - place * 0.2)]));
  return { frequency, mainsFrequency: 60, samples, amplitudeResolution: nanovoltsPerUnit, numLeads: leads };
}

/** The signal under the names of the older reference. Its examples of lists have no resolution; a recording read alone has one. */
export function olderSignalOf(key: string, bpm: number, seconds: number): object {
  return { frequency, mains_freq: 60, samples: { lead_I: leadOf(key, bpm, seconds, 1) }, amplitudeResolution: nanovoltsPerUnit };
}
