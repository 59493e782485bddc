/** Structured logging as a port. `event` is dot-separated and past tense: `delivery.attempted`. Fields carry ids, never values. */
export interface Logger {
  debug(fields: object, event: string): void;
  info(fields: object, event: string): void;
  warn(fields: object, event: string): void;
  error(fields: object, event: string): void;
  child(fields: object): Logger;
}

export type Labels = Readonly<Record<string, string>>;

/** Metrics as a port; names as `delivery_attempts_total`, labels of low cardinality. */
export interface Metrics {
  count(name: string, labels?: Labels, by?: number): void;
  observe(name: string, value: number, labels?: Labels): void;
  gauge(name: string, value: number, labels?: Labels): void;
}

export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};

export const noMetrics: Metrics = { count() {}, observe() {}, gauge() {} };
