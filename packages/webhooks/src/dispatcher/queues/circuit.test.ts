import { describe, expect, it } from 'vitest';
import { Circuit } from './circuit.ts';

const makeCircuit = () => new Circuit(() => 0.5);

function fail(circuit: Circuit, count: number, nowMs: number, fields: { startedAtMs?: number; isRepeat?: boolean } = {}): void {
  for (let i = 0; i < count; i++) circuit.failed({ startedAtMs: nowMs, isRepeat: false, nowMs, ...fields });
}

describe('A circuit', () => {
  it('opens after ten failures in a row, doubling up to 30 s after each failed round of probes', () => {
    const circuit = makeCircuit();
    fail(circuit, 9, 0);
    expect(circuit.isClosed).toBe(true);
    fail(circuit, 1, 0);
    const waits: number[] = [];
    for (let round = 0, nowMs = 0; round < 7; round++) {
      waits.push(circuit.openUntilMs - nowMs);
      nowMs = circuit.openUntilMs;
      fail(circuit, 4, nowMs);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('is closed by one success among its probes', () => {
    const circuit = makeCircuit();
    fail(circuit, 10, 0);
    fail(circuit, 3, 1000);
    expect(circuit.limit(1000)).toBe(1);
    circuit.succeeded(1000);
    expect(circuit.limit(1000)).toBe(Infinity);
  });

  it('stays closed while the endpoint accepts some messages', () => {
    const circuit = makeCircuit();
    circuit.succeeded(0);
    fail(circuit, 100, 1999);
    expect(circuit.isClosed).toBe(true);
    fail(circuit, 1, 2000);
    expect(circuit.isClosed).toBe(false);
  });

  it('assigns a low weight to responses to previously failed messages', () => {
    const circuit = makeCircuit();
    fail(circuit, 90, 0, { isRepeat: true });
    expect(circuit.isClosed).toBe(true);
    fail(circuit, 20, 0, { isRepeat: true });
    expect(circuit.isClosed).toBe(false);
  });

  it('ignores attempts that started before its probes', () => {
    const circuit = makeCircuit();
    fail(circuit, 10, 0);
    fail(circuit, 50, 1500, { startedAtMs: 900 });
    expect([circuit.openUntilMs, circuit.limit(1500)]).toEqual([1000, 4]);
  });

  it('probes with rows from both ends of the queue', () => {
    const circuit = makeCircuit();
    expect(circuit.newestOf(8)).toBe(0);
    fail(circuit, 10, 0);
    expect([circuit.newestOf(4), circuit.newestOf(1)]).toEqual([2, 1]);
    fail(circuit, 1, 1000);
    expect(circuit.newestOf(1)).toBe(0);
  });
});
