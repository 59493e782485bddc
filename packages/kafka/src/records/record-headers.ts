import { Type } from 'typebox';

const text = (description: string) => Type.String({ description });
const optionalText = (description: string) => Type.Optional(text(description));

/** Headers of every record that represents an event; values are UTF-8. */
export const RecordHeaders = Type.Object(
  {
    ce_specversion: Type.Literal('1.0'),
    ce_id: text('The `webhook-id` of the event.'),
    ce_type: text('The event type.'),
    ce_source: text('`/teams/` and the id of the team.'),
    ce_time: Type.String({ format: 'date-time', description: 'When the event was committed.' }),
    ce_subject: optionalText('The id of the user; missing on events without a user.'),
    ce_dataschema: optionalText('Address of the schema in the registry; missing on tombstones.'),
    'content-type': Type.Literal('application/avro'),
    event_id: Type.String({ format: 'uuid', description: 'The same for every copy of the event.' }),
    team_id: Type.String({ format: 'uuid' }),
    user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Missing on events without a user.' })),
    client_user_id: optionalText("The team's reference for the user."),
    shard: Type.String({ pattern: '^\\d+$', description: 'Shard of the log.' }),
    sequence: Type.String({ pattern: '^\\d+$', description: 'Position in the log; it only rises within a shard and for a user.' }),
    day: Type.String({ format: 'date', description: 'Day of the log that holds the event.' }),
    origin: text('`live` or `historical`.'),
    written_at: Type.String({ pattern: '^\\d+$', description: 'When it was committed, in milliseconds since the epoch.' }),
    trace_id: optionalText('32 hexadecimal digits of the trace of the pull or request that caused the event.'),
    traceparent: optionalText('The same trace as W3C trace context.'),
    data_exact: Type.Optional(
      Type.Literal('false', { description: "The values are right, but not every byte of the webhook's JSON can be made from them." }),
    ),
    ce_installation: Type.Optional(Type.String({ format: 'uuid', description: 'Installation that wrote the record.' })),
    ce_generation: Type.Optional(Type.String({ pattern: '^\\d+$', description: 'Generation of the log, from 1.' })),
    ce_shard: optionalText('As `shard`.'),
    ce_sequence: Type.Optional(Type.String({ pattern: '^\\d{16}$', description: 'As `sequence`, padded so that it sorts as text.' })),
    ce_generationends: optionalText('Where earlier generations ended in this shard, as `1=1042 2=68719476740`.'),
    record_format: Type.Optional(
      Type.String({ pattern: '^\\d+$', description: 'Form of the record; missing: 1. Skip records of a form that you do not know.' }),
    ),
    mac: optionalText('For the dispatchers of the installation; only on the event topic.'),
  },
  { title: 'RecordHeaders' },
);

/** Headers of the marker that announces a generation of the log. */
export const MarkerHeaders = Type.Object(
  {
    marker: text('`generation`, `segment` or `fence`.'),
    written_at: Type.String({ pattern: '^\\d+$', description: 'In milliseconds since the epoch.' }),
    ce_installation: optionalText('Only where the marker is `generation`, as all that follow.'),
    ce_generation: optionalText('The generation that began.'),
    ce_shard: optionalText('The shard that it concerns.'),
    ce_generationends: optionalText('Where earlier generations ended in this shard.'),
  },
  { title: 'MarkerHeaders' },
);
