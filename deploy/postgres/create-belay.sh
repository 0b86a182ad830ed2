#!/bin/sh
# Run once by PostgreSQL's own image, in an empty database: makes Belay's roles and its database.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --set password="$BELAY_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE belay LOGIN PASSWORD :'password';
CREATE ROLE belay_retention NOLOGIN;
GRANT belay_retention TO belay;
CREATE DATABASE belay OWNER belay;
SQL
