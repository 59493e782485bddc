/** An event of the pump, when it was logged. Without `properties` the response lacks them too. */
export interface LogEntry {
  readonly ms: number;
  readonly code: number;
  readonly properties?: Readonly<Record<string, unknown>>;
}
