#!/bin/sh
# Runs once, when PostgreSQL creates its data: gives the app a role that owns only its database. The superuser has no
# password afterwards, so it can only log in from inside the container.
set -e
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username=postgres <<'SQL'
\getenv password POSTGRES_PASSWORD
create role stammtisch login password :'password';
create database stammtisch owner stammtisch;
alter role postgres password null;
SQL
