-- Owner: packages/intake.

-- Summaries of phones that a team's own app has sent: those of the same identity that are built from readings yield to them.
CREATE TABLE sent_summaries (
  summary_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL
);
CREATE INDEX sent_summaries_user ON sent_summaries (user_id);
