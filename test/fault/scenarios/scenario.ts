/** How a scenario is run. */
export interface ScenarioOptions {
  /** How long the load and the fault continue. */
  readonly seconds: number;
  readonly seed: number;
  /** Pause of each writer between two writes, which sets the load. */
  readonly pauseMs: number;
  /** Leaves out the parts that start slowly. */
  readonly isShort?: boolean;
  readonly report: (line: string) => void;
}

/** The result of a scenario. */
export interface ScenarioResult {
  readonly committed: number;
  /** Committed events that did not arrive at one of the receivers. */
  readonly lost: number;
  /** Further figures as text, in display order. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** The guarantees that did not hold, as text. Empty: the run passed. */
  readonly problems: readonly string[];
}

/** One kind of fault under load. */
export interface Scenario {
  readonly name: string;
  /** One line for `--list`. */
  readonly summary: string;
  run(options: ScenarioOptions): Promise<ScenarioResult>;
}
