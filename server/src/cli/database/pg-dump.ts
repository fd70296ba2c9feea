export const USE_PG_DUMP =
  'backup and restore are for SQLite; PostgreSQL has its own: `pg_dump -Fc "$DATABASE_URL" > portaria.dump`, and `pg_restore` into an empty schema (docs/operate/backup.md has the commands, for containers too)'
