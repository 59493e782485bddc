-- Owner: packages/store.

-- How many samples of a series were announced as created: counting them when asked would read all of them.
CREATE TABLE sample_counts (
  user_source_id integer NOT NULL,
  series smallint NOT NULL,
  created bigint NOT NULL,
  PRIMARY KEY (user_source_id, series)
) WITH (fillfactor = 70);
INSERT INTO sample_counts (user_source_id, series, created) SELECT user_source_id, series, count(*) FROM samples GROUP BY user_source_id, series;
