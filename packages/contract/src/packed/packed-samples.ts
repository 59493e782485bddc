import { AppError } from '@pulsewire/kernel';
import { ByteReader, ByteWriter } from './bytes.ts';
import { readHeader, writeHeader, type PackedHeader } from './header.ts';
import { readColumns, sampleAt, writeColumns } from './sample-columns.ts';
import type { Sample } from '../records/records.ts';
import { createSampleWriter } from '../render/sample-json.ts';
import { renderSource } from '../render/source.ts';
import { findResource, timeseriesResource } from '../resources/resources.ts';
import type { TimeseriesResource } from '../resources/types.ts';

export type { PackedHeader } from './header.ts';

const version = 1;
/** A batch holds at most 1,000 samples; the bound prevents a damaged length from causing unbounded allocation. */
const samplesMax = 100_000;

/**
 * Packs a batch of one series from one source: columns instead of rows, differences instead of times.
 * Samples keep their order. Throws AppError `bad_sample` for an invalid value, time or offset
 * (a value must be finite, the others whole numbers), and `not_a_timeseries` for a resource without samples.
 */
export function packSamples(header: PackedHeader, samples: readonly Sample[]): Buffer {
  if (samples.length > samplesMax) throw new AppError({ code: 'bad_sample', kind: 'bug', message: 'Too many samples for one batch.' });
  timeseriesResource(header.resource);
  const writer = new ByteWriter(256 + samples.length * 4);
  writer.byte(version);
  writeHeader(writer, header);
  writer.varint(samples.length);
  writeColumns(writer, samples);
  return writer.finish();
}

function open(packed: Buffer): { header: PackedHeader; row: TimeseriesResource; count: number; reader: ByteReader } {
  const reader = new ByteReader(packed);
  if (reader.byte() !== version) throw reader.fail('unknown_version');
  const header = readHeader(reader);
  const row = findResource(header.resource);
  if (row?.kind !== 'timeseries') throw reader.fail('unknown_resource');
  const count = reader.varint();
  if (count > samplesMax) throw reader.fail('too_many_samples');
  return { header, row, count, reader };
}

/** Unpacks header and samples. Throws AppError `packed_samples_unreadable` when the bytes are damaged or of an unknown version. */
export function unpackSamples(packed: Buffer): { header: PackedHeader; samples: Sample[] } {
  const { header, count, reader } = open(packed);
  const columns = readColumns(reader, count);
  return { header, samples: Array.from({ length: count }, (_, index) => sampleAt(columns, index)) };
}

/** The exact JSON text of the `data` of a timeseries event. Throws as `unpackSamples` does. */
export function expandSamples(packed: Buffer): string {
  const { header, row, count, reader } = open(packed);
  const columns = readColumns(reader, count);
  const write = createSampleWriter(row, header.subKind);
  let samples = '';
  for (let index = 0; index < count; index++) samples += (index === 0 ? '' : ',') + write(sampleAt(columns, index));
  const source = JSON.stringify(renderSource(header.source));
  return `{"user_id":${JSON.stringify(header.userId)},"source_id":${header.sourceId},"source":${source},"data":[${samples}]}`;
}
