import { Type } from 'typebox';

// Our validator supports the combined format; other tools support its two alternatives.
const halves = { anyOf: [{ format: 'date' }, { format: 'date-time' }] };
const bound = (description: string) => Type.String({ format: 'date-or-date-time', allOf: [halves], description });

/** Query of the reads that accept days and instants; each bound is validated. */
export const windowFields = {
  start_date: bound('Day or date-time; a bare day means its first second.'),
  end_date: Type.Optional(bound('Day or date-time; a bare day means its last second. Default: now.')),
};
