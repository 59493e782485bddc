/** The source of a value in its wire format. */
export interface RankedSource {
  readonly provider: string;
  readonly type: string;
}

/** Compares sources: the preferred one first. */
export type SourceOrder = (a: RankedSource, b: RankedSource) => number;

/** Default order: dedicated measuring devices, then wearables and phones, then manual entries. */
const byType = [
  'lab',
  'insulin_pump',
  'automatic',
  'fingerprick',
  'manual_scan',
  'cuff',
  'scale',
  'chest_strap',
  'ring',
  'watch',
  'exercise_machine',
  'earphone',
  'phone',
  'multiple_sources',
  'app',
];

const placeIn = (list: readonly string[], ...names: string[]): number => {
  const places = names.map((name) => list.indexOf(name)).filter((place) => place >= 0);
  return places.length === 0 ? list.length : Math.min(...places);
};

/** The order that a reader requested: its own list, each entry a provider or `provider/type`; then by the kind of source, then by name. */
export function sourceOrder(preferred: readonly string[]): SourceOrder {
  const rank = ({ provider, type }: RankedSource) => [placeIn(preferred, `${provider}/${type}`, provider), placeIn(byType, type)] as const;
  return (a, b) => {
    const [first, second] = [rank(a), rank(b)];
    const [firstName, secondName] = [`${a.provider}/${a.type}`, `${b.provider}/${b.type}`];
    const byName = firstName === secondName ? 0 : firstName < secondName ? -1 : 1;
    return first[0] - second[0] || first[1] - second[1] || byName;
  };
}
