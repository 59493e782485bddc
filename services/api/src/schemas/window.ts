import { Type } from 'typebox';

// Our reader knows the format; others know its two halves.
const halves = { anyOf: [{ format: 'date' }, { format: 'date-time' }] };
const bound = (description: string) => Type.String({ format: 'date-or-date-time', allOf: [halves], description });

/** Query of the reads that take days and instants, each bound checked at the door. */
export const windowFields = {
  start_date: bound('Day or date-time; a bare day means its first second.'),
  end_date: Type.Optional(bound('Day or date-time; a bare day means its last second. Default: now.')),
};
