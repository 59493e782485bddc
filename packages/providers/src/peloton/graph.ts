import { JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';

/** One channel of a graph, with a factor to our units. */
export interface Metric {
  readonly node: JsonNode;
  readonly factor: number;
}

/** The samples and sums of a workout; without one, everything is missing. */
export interface Graph {
  readonly root: JsonNode;
  /** By slug. */
  readonly metrics: ReadonlyMap<string, Metric>;
  /** By slug, those whose unit we do not know. */
  readonly unknownUnits: ReadonlyMap<string, JsonNode>;
  /** A sum in our units; null when there is none. */
  sum(slug: string): number | null;
  /** A value of a metric in our units; `null` for zero, which means that there was no sensor. */
  figure(slug: string, key: 'average_value' | 'max_value', digits?: number): number | null;
}

const factors: Readonly<Record<string, number>> = {
  mph: 0.447_04,
  kph: 1 / 3.6,
  'km/h': 1 / 3.6,
  mi: 1609.344,
  km: 1000,
  m: 1,
  ft: 0.3048,
  kcal: 1,
  watts: 1,
  w: 1,
  rpm: 1,
  bpm: 1,
  '%': 1,
  kj: 1,
};

function factorOf(node: JsonNode): number | undefined {
  const unit = node.at('display_unit').value;
  return typeof unit === 'string' ? factors[unit.trim().toLowerCase()] : undefined;
}

const listOf = (node: JsonNode): readonly JsonNode[] => (Array.isArray(node.value) ? node.items() : []);
const slugOf = (node: JsonNode): string => String(node.at('slug').value);

/** Metrics and those nested in another one, such as the speed in a runner's pace. */
function metricsIn(root: JsonNode): Pick<Graph, 'metrics' | 'unknownUnits'> {
  const metrics = new Map<string, Metric>();
  const unknownUnits = new Map<string, JsonNode>();
  for (const node of listOf(root.at('metrics')).flatMap((metric) => [...listOf(metric.at('alternatives')), metric])) {
    const factor = factorOf(node);
    if (factor === undefined) unknownUnits.set(slugOf(node), node.at('display_unit'));
    else metrics.set(slugOf(node), { node, factor });
  }
  return { metrics, unknownUnits };
}

export function readGraph(body: unknown): Graph {
  const root = new JsonNode(body);
  const { metrics, unknownUnits } = metricsIn(root);
  return {
    root,
    metrics,
    unknownUnits,
    sum(slug) {
      const node = listOf(root.at('summaries')).find((item) => slugOf(item) === slug);
      const factor = node && factorOf(node);
      if (node === undefined || factor === undefined) return null;
      return node.at('value').optional((value) => roundTo(value.amount() * factor, 2));
    },
    figure(slug, key, digits = 2) {
      const metric = metrics.get(slug);
      return metric?.node.at(key).optional((value) => roundTo(value.number() * metric.factor, digits)) || null;
    },
  };
}
