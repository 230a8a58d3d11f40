#!/bin/sh
# Runs when Postgres creates its data: makes the two logins of the service, of which neither is a superuser.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=owner="$(cat /run/secrets/owner_password)" --set=request="$(cat /run/secrets/request_password)" <<'SQL'
CREATE ROLE wss_workspace NOLOGIN;
CREATE ROLE wss_owner LOGIN PASSWORD :'owner';
CREATE ROLE wss_request LOGIN NOINHERIT PASSWORD :'request';
GRANT wss_workspace TO wss_owner, wss_request;
GRANT wss_request TO wss_owner;
GRANT SET ON PARAMETER session_replication_role TO wss_owner;
ALTER DATABASE :"DBNAME" OWNER TO wss_owner;
ALTER SCHEMA public OWNER TO wss_owner;
SQL
