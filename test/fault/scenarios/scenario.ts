/** How a scenario is run. */
export interface ScenarioOptions {
  /** How long the load and the fault go on. */
  readonly seconds: number;
  readonly seed: number;
  /** Pause of each writer lane between two writes: the load. */
  readonly pauseMs: number;
  /** Without the parts that take long to start. */
  readonly isShort?: boolean;
  readonly report: (line: string) => void;
}

/** What a scenario came to. */
export interface ScenarioResult {
  readonly committed: number;
  /** Committed events that did not arrive at one of the receivers. */
  readonly lost: number;
  /** Further figures, in words, in the order in which they are shown. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** What is promised and did not hold, in words. Empty: the run is good. */
  readonly problems: readonly string[];
}

/** One kind of fault under load. */
export interface Scenario {
  readonly name: string;
  /** One line for `--list`. */
  readonly summary: string;
  run(options: ScenarioOptions): Promise<ScenarioResult>;
}
