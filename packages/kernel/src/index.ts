export { AppError, errorCode, errorMessage, isAppError, type AppErrorOptions, type ErrorKind } from './errors.ts';
export { createManualClock, sleep, systemClock, type Clock } from './clock.ts';
export { base62ToUuid, isUuid, randomBase62, uuidToBase62, uuidv5, uuidv7 } from './ids.ts';
export { decodeText, isCleanText } from './decode-text.ts';
export { isJsonDeeperThan, jsonDepthMax } from './json-depth.ts';
export { noMetrics, silentLogger, type Labels, type Logger, type Metrics } from './ports.ts';
export { exponentialDelayMs, withJitter } from './backoff.ts';
export { isLoopback } from './is-loopback.ts';
export { WakeSignal } from './wake-signal.ts';
