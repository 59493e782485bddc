-- Owner: packages/store, packages/connections.

-- The newest summary of a connection, which a list of users shows.
CREATE INDEX summaries_newest ON summaries (user_id, provider, at);

-- The few connections of a team that are not read.
CREATE INDEX connections_by_status ON connections (team_id, status, user_id) WHERE status <> 'connected';
