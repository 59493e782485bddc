import { AppError, createManualClock, type ErrorCode } from '@pulsewire/kernel';
import { expect, it } from 'vitest';
import { recordTypes, type RecordType } from '../avro/record-types.ts';
import { ReaderCache } from './reader-cache.ts';

const [{ schema }] = recordTypes as [RecordType];
const failed = (code: ErrorCode) => new AppError({ code, kind: 'unavailable', message: code });

it('an unresponsive registry gets one request for all missing schemas, and another one later', async () => {
  const clock = createManualClock(new Date(0));
  const requested: number[] = [];
  let isThere = false;
  const registry = {
    async schemaOf(schemaId: number) {
      requested.push(schemaId);
      if (!isThere) throw failed('registry_unavailable');
      return schema;
    },
  };
  const readers = new ReaderCache(registry, clock);
  for (const schemaId of [1, 2, 3]) expect(await readers.find(schemaId)).toBeNull();
  expect(requested).toEqual([1]);
  isThere = true;
  clock.advance(15_000);
  for (const schemaId of [1, 2, 3]) expect(await readers.find(schemaId)).not.toBeNull();
});

it('an unknown schema does not prevent requests for others', async () => {
  const registry = {
    async schemaOf(schemaId: number) {
      if (schemaId === 1) throw failed('schema_unknown');
      return schema;
    },
  };
  const readers = new ReaderCache(registry, createManualClock(new Date(0)));
  expect(await readers.find(1)).toBeNull();
  expect(await readers.find(2)).not.toBeNull();
});
