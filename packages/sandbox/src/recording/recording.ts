import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseDay } from './parse-day.ts';
import { parseHeart } from './parse-heart.ts';
import type { HeartTrack, RecordedDay, Recording } from './types.ts';

/** The lines of a gzip file, without the empty one at its end. Read whole: the recorded files are below 5 MB. */
function readLines(file: URL): string[] {
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

interface RecordingOptions {
  /** Folder with `minutes.jsonl.gz` and `heartrate.jsonl.gz`; a bundle that moves this file has to set it. */
  readonly folder?: URL;
}

interface Entry {
  readonly text: string;
  parsed?: RecordedDay;
}

/** The recorded data, read on first use, one day parsed at a time. */
export function createRecording(options: RecordingOptions = {}): Recording {
  const folder = options.folder ?? new URL('../../data/fitbit/', import.meta.url);
  let days: Map<string, Map<string, Entry>> | undefined;
  let tracks: HeartTrack[] | undefined;
  const index = () => (days ??= indexDays(readLines(new URL('minutes.jsonl.gz', folder))));

  return {
    users: () => [...index().keys()],
    dates: (user) => [...(index().get(user)?.keys() ?? [])],
    day(user, date) {
      const entry = index().get(user)?.get(date);
      return entry && (entry.parsed ??= parseDay(entry.text));
    },
    heartTracks: () => (tracks ??= parseHeart(readLines(new URL('heartrate.jsonl.gz', folder)))),
  };
}

function indexDays(lines: readonly string[]): Map<string, Map<string, Entry>> {
  const days = new Map<string, Map<string, Entry>>();
  for (const text of lines) {
    const match = /^\{"user":"([^"]+)","date":"([^"]+)"/.exec(text);
    // The first and last day of each volunteer hold totals without minutes: the tracker was worn for a part of them.
    if (!match?.[1] || !match[2] || !text.includes('"steps":[')) continue;
    const ofUser = days.get(match[1]) ?? new Map<string, Entry>();
    days.set(match[1], ofUser.set(match[2], { text }));
  }
  return days;
}
